// SPDX-FileCopyrightText: 2026 The Patchfield authors
// SPDX-License-Identifier: Apache-2.0

#include "patchfield/io/npz_writer.h"

#include <csignal>
#include <fstream>
#include <random>

#include <sys/resource.h>
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "io/npz_reader.h"
#include "patchfield/core/check.h"

namespace patchfield {
namespace {

namespace fs = std::filesystem;
using testing::NpzFile;
using testing::read_npz;

/// A folder of its own for each test, removed afterwards.
class NpzWriterTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::temp_directory_path() / fmt::format("patchfield-{}-{}", test->name(), ::getpid());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_)) names.push_back(entry.path().filename().string());
    return names;
  }

  fs::path folder_;
};

/// Rows appended in turns, in pieces of all sizes, some columns beyond the writer's blocks of 64 kB.
struct Numbers {
  std::vector<double> reals;  // rows of 3, mixed noise and runs
  std::vector<std::int32_t> ints;
  std::vector<std::int64_t> longs;
  std::vector<std::uint8_t> bytes;
};

Numbers write_numbers(const fs::path& path, const NpzOptions& options) {
  NpzWriter w(path, options);
  const auto reals = w.add_column<double>("reals", {3});
  const auto ints = w.add_column<std::int32_t>("ints");
  const auto longs = w.add_column<std::int64_t>("longs", {1});
  const auto bytes = w.add_column<std::uint8_t>("bytes", {2, 2});
  w.add_column<double>("empty", {5});
  const auto no_columns = w.add_column<double>("no_columns", {0});
  std::mt19937_64 random(7);
  Numbers all;
  for (int turn = 0; turn < 60; ++turn) {
    Numbers n;
    const int rows = static_cast<int>(random() % 900);
    for (int i = 0; i < 3 * rows; ++i) n.reals.push_back(turn % 3 == 0 ? 1.5 : static_cast<double>(random()) * 1e-9);
    for (int i = 0; i < rows; ++i) n.ints.push_back(static_cast<std::int32_t>(random()));
    for (int i = 0; i < 4 * rows; ++i) n.bytes.push_back(static_cast<std::uint8_t>(random()));
    w.append(reals, n.reals.data(), rows);
    w.append(ints, n.ints.data(), rows);
    w.append(longs, turn - 30);
    w.append(bytes, n.bytes.data(), rows);
    w.append(no_columns, nullptr, 2);
    all.reals.insert(all.reals.end(), n.reals.begin(), n.reals.end());
    all.ints.insert(all.ints.end(), n.ints.begin(), n.ints.end());
    all.bytes.insert(all.bytes.end(), n.bytes.begin(), n.bytes.end());
    all.longs.push_back(turn - 30);
  }
  w.finish();
  return all;
}

void expect_numbers(const NpzFile& npz, const Numbers& all) {
  const auto rows = static_cast<std::int64_t>(all.ints.size());
  EXPECT_EQ(npz["reals"].dtype, "<f8");
  EXPECT_EQ(npz["reals"].shape, (std::vector<std::int64_t>{rows, 3}));
  EXPECT_EQ(npz["reals"].values<double>(), all.reals);
  EXPECT_EQ(npz["ints"].dtype, "<i4");
  EXPECT_EQ(npz["ints"].shape, std::vector<std::int64_t>{rows});
  EXPECT_EQ(npz["ints"].values<std::int32_t>(), all.ints);
  EXPECT_EQ(npz["longs"].shape, (std::vector<std::int64_t>{60, 1}));
  EXPECT_EQ(npz["longs"].values<std::int64_t>(), all.longs);
  EXPECT_EQ(npz["bytes"].shape, (std::vector<std::int64_t>{rows, 2, 2}));
  EXPECT_EQ(npz["bytes"].values<std::uint8_t>(), all.bytes);
  EXPECT_EQ(npz["empty"].shape, (std::vector<std::int64_t>{0, 5}));
  EXPECT_EQ(npz["no_columns"].shape, (std::vector<std::int64_t>{120, 0}));
}

TEST_F(NpzWriterTest, RowsComeBackAsTheyWereAppended) {
  for (const int level : {1, 6, 9}) {
    const Numbers all = write_numbers(folder_ / "a.npz", {.level = level});
    ASSERT_GT(all.reals.size() * sizeof(double), 4u << 16);
    const NpzFile npz = read_npz(folder_ / "a.npz");
    expect_numbers(npz, all);
    EXPECT_EQ(npz.zip64_members, 0);
    EXPECT_FALSE(npz.zip64_end);
  }
}

// The same file with 64-bit fields from 1 kB on: what a log of more than 4 GB would have.
TEST_F(NpzWriterTest, LargeNumbersGoToZip64Fields) {
  const Numbers all = write_numbers(folder_ / "a.npz", {.zip64_from = 1000});
  const NpzFile npz = read_npz(folder_ / "a.npz");
  expect_numbers(npz, all);
  EXPECT_GE(npz.zip64_members, 3);
  EXPECT_TRUE(npz.zip64_end);
}

TEST_F(NpzWriterTest, SameRowsMakeTheSameFile) {
  const auto read = [](const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  write_numbers(folder_ / "a.npz", {});
  write_numbers(folder_ / "b.npz", {});
  EXPECT_EQ(read(folder_ / "a.npz"), read(folder_ / "b.npz"));
}

TEST_F(NpzWriterTest, ScalarsAndTextsKeepTheirShape) {
  {
    NpzWriter w(folder_ / "a.npz");
    w.add_scalar("dt", 0.25);
    w.add_scalar("n", std::int64_t{-3});
    w.add_text("solver", "sap");
    w.add_text("nothing", "");
    w.add_texts("names", {"a", "Größe", "", "日本 \xf0\x9f\x99\x82", "bad \xff"});
    w.add_texts("no_names", {});
    w.finish();
  }
  const NpzFile npz = read_npz(folder_ / "a.npz");
  EXPECT_TRUE(npz["dt"].shape.empty());
  EXPECT_EQ(npz["dt"].values<double>(), std::vector<double>{0.25});
  EXPECT_EQ(npz["n"].values<std::int64_t>(), std::vector<std::int64_t>{-3});
  EXPECT_EQ(npz["solver"].dtype, "<U3");
  EXPECT_EQ(npz["solver"].values<char32_t>(), (std::vector<char32_t>{'s', 'a', 'p'}));
  EXPECT_EQ(npz["nothing"].values<char32_t>(), std::vector<char32_t>{0});
  EXPECT_EQ(npz["names"].dtype, "<U5");
  EXPECT_EQ(npz["names"].shape, std::vector<std::int64_t>{5});
  const std::u32string expected = std::u32string(U"a\0\0\0\0", 5) + U"Größe" + std::u32string(5, 0) +
                                  std::u32string(U"日本 🙂\0", 5) + U"bad \ufffd";
  const auto names = npz["names"].values<char32_t>();
  EXPECT_EQ(std::u32string(names.begin(), names.end()), expected);
  EXPECT_EQ(npz["no_names"].shape, std::vector<std::int64_t>{0});
}

TEST_F(NpzWriterTest, NothingAppearsBeforeTheFileIsWhole) {
  std::ofstream(folder_ / "a.npz") << "old";
  {
    NpzWriter w(folder_ / "a.npz");
    const auto column = w.add_column<double>("x");
    for (int i = 0; i < 100000; ++i) w.append(column, 1.0 / (i + 1));
    EXPECT_EQ(files(), std::vector<std::string>{"a.npz"});  // the spool has no name
  }
  // Not finished: the old file is as it was.
  std::string text;
  std::ifstream(folder_ / "a.npz") >> text;
  EXPECT_EQ(text, "old");
  EXPECT_EQ(files(), std::vector<std::string>{"a.npz"});
  write_numbers(folder_ / "a.npz", {});
  EXPECT_EQ(files(), std::vector<std::string>{"a.npz"});
  EXPECT_NO_THROW(read_npz(folder_ / "a.npz"));
}

TEST_F(NpzWriterTest, PlacesThatCannotBeWrittenAreNamedAtOnce) {
  const auto message = [](const fs::path& path) -> std::string {
    try {
      NpzWriter w(path);
    } catch (const InputError& error) {
      return error.what();
    }
    return "no error";
  };
  EXPECT_NE(message(folder_ / "none" / "a.npz").find("there is no folder"), std::string::npos);
  EXPECT_NE(message(folder_).find("it is a folder"), std::string::npos);
  EXPECT_NE(message("/dev/null").find("not a plain file"), std::string::npos);
  EXPECT_NE(message("").find("empty"), std::string::npos);
  EXPECT_NE(message("/proc/a.npz").find("Choose a folder"), std::string::npos);
  EXPECT_TRUE(files().empty());
}

TEST_F(NpzWriterTest, NameWithoutFolderIsInTheCurrentOne) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  const Numbers all = write_numbers("a.npz", {});
  fs::current_path(before);
  expect_numbers(read_npz(folder_ / "a.npz"), all);
}

TEST_F(NpzWriterTest, LinkStaysALink) {
  std::ofstream(folder_ / "a.npz") << "old";
  fs::create_symlink(folder_ / "a.npz", folder_ / "link.npz");
  const Numbers all = write_numbers(folder_ / "link.npz", {});
  EXPECT_TRUE(fs::is_symlink(folder_ / "link.npz"));
  expect_numbers(read_npz(folder_ / "a.npz"), all);
}

// A limit on the size of files stands for a full disk: writing fails half way.
TEST_F(NpzWriterTest, FullDiskLeavesNothingBehind) {
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit = {};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  std::ofstream(folder_ / "a.npz") << "old";

  // 240 kB of noise: the spool takes it, the file with its headers on top does not; or the spool already does not.
  for (const rlim_t limit : {rlim_t{100'000}, rlim_t{245'000}}) {
    NpzWriter w(folder_ / "a.npz");
    const auto column = w.add_column<std::uint8_t>("noise");
    for (int i = 0; i < 80; ++i) w.add_scalar(fmt::format("x{}", i), 1.0);
    std::mt19937_64 random(1);
    std::vector<std::uint8_t> noise(240'000);
    for (std::uint8_t& x : noise) x = static_cast<std::uint8_t>(random());
    const rlimit small = {limit, old_limit.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    const auto write = [&] {
      w.append(column, noise.data(), 240'000);
      w.finish();
    };
    EXPECT_THROW(write(), std::runtime_error) << limit;
    setrlimit(RLIMIT_FSIZE, &old_limit);
  }
  std::signal(SIGXFSZ, old_handler);
  std::string text;
  std::ifstream(folder_ / "a.npz") >> text;
  EXPECT_EQ(text, "old");
  EXPECT_EQ(files(), std::vector<std::string>{"a.npz"});
}

}  // namespace
}  // namespace patchfield
