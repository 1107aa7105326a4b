#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""The pancake flip's states through Drake's and through our geometry and SAP: faces and time per step side by side.

`patchfield run --sequence models/pancake.yaml --solver sap --log` records states, forces and the time of each stage;
`patchfield export` writes the same scene as SDF. Drake then takes every recorded state with its motor forces, computes
the contact surfaces, and one step of its SAP. Both sides are measured in alternating rounds; each state counts with its
fastest round. "rest" is the step without the geometry: solver, dynamics and assembly.

    python3 bench/peers/pancake.py [--refinements 1 2 4] [--states 100] [--rounds 3] [--json FILE]
"""

import argparse
import json
import logging
import subprocess
import tempfile
import time
from pathlib import Path

from common import BUILD, ROOT, context, enter_venv

OURS = BUILD / "apps" / "cli" / "patchfield"
DT, DURATION = 2e-3, 11.7  # s


def our_round(scene, every, folder):
    """Our run of the whole task: the columns of its log."""
    import numpy as np

    log = Path(folder) / "run.npz"
    subprocess.run([OURS, "run", scene, "--sequence", ROOT / "models" / "pancake.yaml", "--solver", "sap", "--time-step", str(DT),
                    "--log", log, "--log-every", str(every), "--quiet"], check=True)
    return dict(np.load(log))


class Drake:
    """The exported scene in a plant."""

    def __init__(self, sdf):
        from pydrake.geometry import HydroelasticContactRepresentation
        from pydrake.multibody.parsing import Parser
        from pydrake.multibody.plant import AddMultibodyPlantSceneGraph, ContactModel, DiscreteContactApproximation
        from pydrake.systems.framework import DiagramBuilder

        builder = DiagramBuilder()
        self.plant, self.graph = AddMultibodyPlantSceneGraph(builder, DT)
        Parser(self.plant).AddModels(str(sdf))
        self.plant.set_contact_model(ContactModel.kHydroelasticWithFallback)
        self.representation = HydroelasticContactRepresentation.kPolygon
        self.plant.set_contact_surface_representation(self.representation)
        self.plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        self.plant.Finalize()
        self.diagram = builder.Build()
        self.context = self.diagram.CreateDefaultContext()
        self.own = self.plant.GetMyMutableContextFromRoot(self.context)
        self.next = self.context.Clone()

    def set_state(self, qpos, qvel, ctrl):
        """MuJoCo's order: six joints of the arm, two fingers, spatula, pancake."""
        import numpy as np
        from pydrake.common.eigen_geometry import Quaternion
        from pydrake.math import RigidTransform
        from pydrake.multibody.math import SpatialVelocity

        names = [f"arm{i + 1}" for i in range(6)] + ["left", "right"]
        forces = np.zeros(self.plant.num_actuators())
        for i, name in enumerate(names):
            joint = self.plant.GetJointByName(name)
            set_joint = joint.set_angle if i < 6 else joint.set_translation
            set_rate = joint.set_angular_rate if i < 6 else joint.set_translation_rate
            set_joint(self.own, qpos[i])
            set_rate(self.own, qvel[i])
        for index in self.plant.GetJointActuatorIndices():
            actuator = self.plant.get_joint_actuator(index)
            forces[actuator.input_start()] = ctrl[names.index(actuator.joint().name())]
        self.plant.get_actuation_input_port().FixValue(self.own, forces)
        for k, name in enumerate(("spatula", "pancake")):
            body, q, v = self.plant.GetBodyByName(name), qpos[8 + 7 * k:15 + 7 * k], qvel[8 + 6 * k:14 + 6 * k]
            X = RigidTransform(Quaternion(q[3:] / np.linalg.norm(q[3:])), q[:3])
            self.plant.SetFreeBodyPose(self.own, body, X)
            # MuJoCo's angular velocity of a free body is in its own frame.
            self.plant.SetFreeBodySpatialVelocity(self.own, body, SpatialVelocity(X.rotation() @ v[3:], v[:3]))

    def measure(self, state):
        """Faces, their area [m²], seconds of the geometry and of the whole step."""
        self.set_state(*state)
        query = self.graph.get_query_output_port().Eval(self.graph.GetMyContextFromRoot(self.context))
        query.ComputeContactSurfacesWithFallback(self.representation)  # poses are up to date and memory is warm
        began = time.process_time()
        surfaces, _ = query.ComputeContactSurfacesWithFallback(self.representation)
        geometry = time.process_time() - began
        self.set_state(*state)
        began = time.process_time()
        self.diagram.CalcForcedUnrestrictedUpdate(self.context, self.next.get_mutable_state())
        step = time.process_time() - began
        return sum(s.num_faces() for s in surfaces), sum(s.total_area() for s in surfaces), geometry, step


def compare(refinement, options):
    import numpy as np

    scene = f"scene:pancake:{refinement}"
    every = max(1, round(DURATION / DT / options.states))
    with tempfile.TemporaryDirectory() as folder:
        sdf = Path(folder) / "pancake.sdf"
        subprocess.run([OURS, "export", scene, sdf, "--quiet"], check=True)
        drake = Drake(sdf)
        log = our_round(scene, every, folder)
        n = len(log["step_faces"])
        states = [(log["qpos"][i], log["qvel"][i], log["ctrl"][i]) for i in range(n)]
        ours, theirs = [], []
        for _ in range(options.rounds):
            log = our_round(scene, every, folder)
            stages = {k: log[f"step_seconds_{k}"] for k in ("dynamics", "geometry", "assembly", "solver", "output")}
            ours.append((stages["geometry"], sum(stages.values())))
            theirs.append([drake.measure(state) for state in states])
    starts = log["step_patch_start"]
    # Drake's surfaces contain the margin; so do these.
    faces = (log["step_faces"] + log["step_waiting_faces"]).mean()
    areas = log["patch_area"] + log["patch_waiting_area"]
    area = np.mean([areas[starts[i]:starts[i + 1]].sum() for i in range(n)])
    theirs = np.array(theirs)
    our_geometry, our_step = (np.min([r[k] for r in ours], axis=0).mean() for k in (0, 1))
    drake_geometry, drake_step = (theirs[:, :, k].min(axis=0).mean() for k in (2, 3))
    return {"refinement": refinement, "states": n, "our_faces": float(faces),
            "drake_faces": float(theirs[0, :, 0].mean()), "our_area": float(area), "drake_area": float(theirs[0, :, 1].mean()),
            "our_geometry": float(our_geometry), "drake_geometry": float(drake_geometry),
            "our_rest": float(our_step - our_geometry), "drake_rest": float(drake_step - drake_geometry),
            "our_step": float(our_step), "drake_step": float(drake_step)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refinements", type=int, nargs="+", default=[1, 2, 4])
    parser.add_argument("--states", type=int, default=100, help="states along the task; default 100")
    parser.add_argument("--rounds", type=int, default=3, help="of each side, in turn; default 3")
    parser.add_argument("--json", type=Path, help="write all numbers to this file")
    options = parser.parse_args()
    enter_venv()
    logging.getLogger("drake").setLevel(logging.ERROR)
    about = context()
    print("  ".join(f"{k}: {v}" for k, v in about.items()))
    print("SAP at 2 ms, one thread; means over the states; faces and area with the margin; times in µs per step.")
    print(f"{'':11}{'faces':>14}{'area [cm²]':>16}{'geometry':>22}{'rest':>22}{'step':>22}")
    print(f"{'refinement':11}{'Drake':>7}{'ours':>7}{'Drake':>8}{'ours':>8}" + 3 * f"{'Drake':>8}{'ours':>7}{'ratio':>7}", flush=True)
    rows = []
    for refinement in options.refinements:
        r = compare(refinement, options)
        rows.append(r)
        print(f"{refinement:<11}{r['drake_faces']:>7.0f}{r['our_faces']:>7.0f}{1e4 * r['drake_area']:>8.2f}{1e4 * r['our_area']:>8.2f}"
              + "".join(f"{1e6 * r['drake_' + k]:>8.0f}{1e6 * r['our_' + k]:>7.0f}{r['drake_' + k] / r['our_' + k]:>7.1f}"
                        for k in ("geometry", "rest", "step")), flush=True)
    if options.json:
        options.json.parent.mkdir(parents=True, exist_ok=True)
        options.json.write_text(json.dumps({"context": about, "rows": rows}, indent=1))


if __name__ == "__main__":
    main()
