# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""pf.load of every format, with the same bits as the command line; shapes from files."""

import subprocess
import sys

import mujoco
import numpy as np
import pytest

import patchfield as pf

LINK = """<link name="cube"><pose>0 0 0.05 0 0 0</pose>
<inertial><mass>1</mass><inertia><ixx>.002</ixx><iyy>.002</iyy><izz>.002</izz><ixy>0</ixy><ixz>0</ixz><iyz>0</iyz></inertia></inertial>
<collision name="cube"><geometry><box><size>.1 .1 .1</size></box></geometry>
<drake:proximity_properties><drake:compliant_hydroelastic/><drake:hydroelastic_modulus>1e6</drake:hydroelastic_modulus>
</drake:proximity_properties></collision></link>"""
FLOOR = """<model name="floor"><static>true</static><link name="floor"><collision name="floor"><geometry><box><size>2 2 .1</size></box></geometry>
<pose>0 0 -.05 0 0 0</pose></collision></link></model>"""
SDF = f"""<?xml version="1.0"?><sdf version="1.9" xmlns:drake="drake.mit.edu"><world name="w">{FLOOR}
<model name="box">{LINK}</model></world></sdf>"""
URDF = """<robot name="arm"><link name="arm"><inertial><mass value="1"/><origin xyz="0 0 .2"/>
<inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="world"/>
<joint name="hinge" type="continuous"><parent link="world"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>"""
MJCF = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/><body pos="0 0 .1"><freejoint/><geom name="ball" size=".1"/></body></worldbody>
<custom><text name="patchfield:ball" data="compliant modulus=1e5"/></custom></mujoco>"""


def write(path, text):
    path.write_text(text)
    return path


@pytest.mark.parametrize(("name", "text", "patches"), [("w.sdf", SDF, 1), ("arm.urdf", URDF, 0), ("ball.xml", MJCF, 1)])
def test_every_format_becomes_an_mjmodel(tmp_path, name, text, patches):
    model = pf.load(write(tmp_path / name, text))
    assert isinstance(model, mujoco.MjModel)
    data, sim = mujoco.MjData(model), pf.Simulation(model)
    sim.step(data, 50)
    assert sim.report.patches == patches
    mujoco.mj_step(model, mujoco.MjData(model))


def test_directives(tmp_path):
    write(tmp_path / "w.sdf", f'<?xml version="1.0"?><sdf version="1.9" xmlns:drake="d"><model name="box">{LINK}</model></sdf>')
    write(tmp_path / "floor.sdf", f'<?xml version="1.0"?><sdf version="1.9">{FLOOR}</sdf>')
    scene = write(tmp_path / "scene.dmd.yaml", f"""directives:
- add_model: {{name: box, file: "file://{tmp_path}/w.sdf"}}
- add_model: {{name: floor, file: "file://{tmp_path}/floor.sdf"}}
""")
    model = pf.load(scene, time_step=1e-3)
    assert model.opt.timestep == 1e-3
    data, sim = mujoco.MjData(model), pf.Simulation(model)
    sim.step(data, 500)
    assert [patch.normal_force for patch in sim.patches] == pytest.approx([9.81], abs=0.05)


def test_same_bits_as_the_command_line(tmp_path):
    path = write(tmp_path / "w.sdf", SDF)
    subprocess.run([sys.executable, "-m", "patchfield", "run", path, "--duration", "0.1", "--time-step", "2e-3", "--log", "log.npz", "--quiet"],
                   check=True, cwd=tmp_path)
    log = np.load(tmp_path / "log.npz")
    model = pf.load(path, time_step=2e-3)
    data, sim = mujoco.MjData(model), pf.Simulation(model, time_step=2e-3)
    sim.step(data, 50)
    assert np.array_equal(log["qpos"][-1], data.qpos) and np.array_equal(log["qvel"][-1], data.qvel)


def test_what_is_not_understood_is_a_warning(tmp_path):
    path = write(tmp_path / "w.sdf", SDF.replace("<collision name=\"cube\">", "<collision name=\"cube\"><hovering>1</hovering>"))
    with pytest.warns(UserWarning, match=r"w\.sdf:\d+.*hovering"):
        pf.load(path)


def test_errors_name_file_and_line(tmp_path):
    with pytest.raises(pf.InputError, match=r"w\.sdf:\d+"):
        pf.load(write(tmp_path / "w.sdf", SDF.replace("1e6", "soft")))
    with pytest.raises(pf.InputError, match="w.sdf"):
        pf.load(write(tmp_path / "w.sdf", SDF[:300]))


def test_binary_models(tmp_path):
    model = pf.load("scene:stack")
    mujoco.mj_saveModel(model, str(tmp_path / "model.mjb"), None)
    again = pf.load(tmp_path / "model.mjb")
    assert pf.Simulation(again).is_compliant("box0")
    # A file of another version of MuJoCo: its header is not ours.
    content = bytearray((tmp_path / "model.mjb").read_bytes())
    content[0:16] = bytes(16)
    (tmp_path / "old.mjb").write_bytes(content)
    with pytest.raises(ValueError):
        pf.load(tmp_path / "old.mjb")


CUBE_OBJ = "".join(f"v {x} {y} {z}\n" for z in (0, 0.1) for y in (0, 0.1) for x in (0, 0.1)) + """f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
"""


# At a depth of 5 mm the outer 5 mm of the sole are nearer to a wall than to the bottom: p rises sideways, and no face pushes up.
SOLE = (0.1 - 2 * 0.005) ** 2


def lifted(z):
    X = np.eye(4)
    X[2, 3] = z
    return X


def test_meshes_from_files(tmp_path):
    path = write(tmp_path / "cube.obj", CUBE_OBJ)
    mesh = pf.TriangleMesh(path)
    assert mesh.vertices.shape == (8, 3) and mesh.triangles.shape == (12, 3)
    hull = pf.ConvexHull(str(path))
    floor = pf.Rigid(pf.HalfSpace())
    surface = pf.contact_surface(floor, np.eye(4), pf.Compliant(hull, 1e6), lifted(-0.005))
    assert surface.area == pytest.approx(SOLE, rel=0.02)
    write(tmp_path / "tet.vtk", """# vtk DataFile Version 3.0
one
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 5 double
0 0 0 0.1 0 0 0 0.1 0 0 0 0.1 0.02 0.02 0.02
CELLS 4 20
4 0 1 2 4
4 0 3 1 4
4 0 2 3 4
4 1 3 2 4
CELL_TYPES 4
10 10 10 10
""")
    tets = pf.TetMesh(tmp_path / "tet.vtk")
    assert tets.tets.shape == (4, 4) and tets.vertices.shape == (5, 3)
    with pytest.raises(pf.InputError, match="nowhere.obj"):
        pf.TriangleMesh(tmp_path / "nowhere.obj")
    with pytest.raises(pf.InputError, match="cube.txt"):
        pf.TriangleMesh(write(tmp_path / "cube.txt", ""))


def test_compliant_surfaces_are_filled(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    pytest.importorskip("wildmeshing")
    mesh = pf.TriangleMesh(write(tmp_path / "cube.obj", CUBE_OBJ))
    for _ in range(2):  # made, then remembered
        body = pf.Compliant(mesh, 1e6, resolution=0.03)
        surface = pf.contact_surface(pf.Rigid(pf.HalfSpace()), np.eye(4), body, lifted(-0.005))
        assert surface.area == pytest.approx(SOLE, rel=0.05)
    assert len(list((tmp_path / "cache").rglob("*.vtk"))) == 1
