// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

// src/ → one HTML page with script and style inside: node build.mjs OUT.html

import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { build } from "esbuild";

const out = process.argv[2];
if (!out) throw new Error("usage: node build.mjs OUT.html");

/** Minified text of one entry point. */
async function bundle(entry) {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    target: ["es2020"],
    legalComments: "none",
    charset: "ascii",
  });
  return result.outputFiles[0].text;
}

const [script, style] = await Promise.all([bundle("src/main.ts"), bundle("src/style.css")]);
// Inside a page "</script" would end the script wherever it stands; in strings "<\/script" is the same text.
const page = readFileSync("src/page.html", "utf8")
  .replace("/*style*/", () => style)
  .replace("/*script*/", () => script.replaceAll("</script", "<\\/script"));
mkdirSync(dirname(out), { recursive: true });
writeFileSync(`${out}.part`, page);
renameSync(`${out}.part`, out);
