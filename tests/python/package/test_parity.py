# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""`sim.step(data)` leaves mjData as `mj_step` does. docs/parity.md is the table; every field of MjData is in one of its
classes, so that a field which MuJoCo adds fails here until someone has decided."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

import patchfield as pf
from helpers import GRAVITY, cube

ROBOT = """<mujoco><option timestep="0.001"><flag energy="enable"/></option>
<default><geom condim="3"/></default>
<worldbody><geom name="floor" type="plane" size="2 2 .1"/>
<body name="arm" pos="0 0 1"><joint name="a" axis="0 1 0" damping=".3" stiffness="2" range="-1 .5" limited="true" armature=".02"/>
 <geom name="upper" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
 <body pos=".3 0 0"><joint name="b" axis="0 1 0" frictionloss=".2" damping=".1"/>
  <geom name="lower" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/><site name="tip" pos=".3 0 0"/></body></body>
<body name="cart" pos="0 1 .5" gravcomp=".5"><joint name="x" type="slide" axis="1 0 0" damping="1"/>
 <geom type="box" size=".1 .1 .1"/></body>
<body name="hung" pos="0 -1 1"><joint name="h" type="hinge" axis="1 0 0"/><geom type="box" size=".05 .05 .2" pos="0 0 -.2"/></body>
<body name="hung2" pos="0 -1.3 1"><joint name="h2" type="hinge" axis="1 0 0"/><geom type="box" size=".05 .05 .2" pos="0 0 -.2"/></body>
<body name="ball" pos=".5 .5 .0996"><freejoint/><geom name="ball" size=".1" mass="1" friction=".4"/>
 <site name="shell" size=".11"/></body>
</worldbody>
<tendon><fixed name="t" stiffness="3" damping=".2"><joint joint="a" coef="1"/><joint joint="b" coef="-.5"/></fixed></tendon>
<equality><joint joint1="h" joint2="h2" polycoef="0 1 0 0 0"/></equality>
<actuator><motor joint="a" gear="2"/><position joint="b" kp="5" kv=".2"/><velocity joint="x" kv="3" forcerange="-2 2"/>
 <general joint="x" dyntype="filter" dynprm=".1" gainprm="2"/></actuator>
<sensor><jointpos joint="a"/><jointvel joint="b"/><framepos objtype="site" objname="tip"/><accelerometer site="tip"/>
 <force site="tip"/><torque site="tip"/><touch name="shell" site="shell"/><actuatorfrc actuator="motor1"/>
 <jointactuatorfrc joint="b"/><jointlimitfrc joint="a"/><subtreeangmom body="arm"/><e_potential/><e_kinetic/>
 <contact name="found" geom1="ball" num="1" data="found force dist pos normal"/><clock/></sensor></mujoco>""".replace(
    '<motor joint="a"', '<motor name="motor1" joint="a"')

# Classes of docs/parity.md. Names that MjData offers but that are no fields (methods, views by name) are not listed.
SAME = set("""M actuator_length actuator_moment actuator_velocity act_dot bvh_aabb_dyn bvh_active cam_xmat cam_xpos cdof cdof_dot cinert
crb ctrl cvel efc_D efc_J efc_J_colind efc_J_rowadr efc_J_rownnz efc_J_rowsuper efc_KBIP efc_R efc_aref efc_diagA efc_frictionloss
efc_id efc_margin efc_pos efc_state efc_type efc_vel energy eq_active flexedge_J flexedge_length flexedge_velocity flexelem_aabb
flexvert_xpos geom_xmat geom_xpos geom_xquat history light_xdir light_xpos mocap_pos mocap_quat moment_colind moment_rowadr
moment_rownnz nJ ncon ne nefc nf nl plastic plugin plugin_data plugin_state qLD qLDiagInv qfrc_adhesion qfrc_applied qfrc_bias
qfrc_damper qfrc_fluid qfrc_gravcomp qfrc_passive qfrc_spring site_xmat site_xpos site_xquat subtree_angmom subtree_com
subtree_linvel ten_J ten_length ten_velocity ten_wrapadr ten_wrapnum tendon_efcadr time userdata wrap_obj wrap_xpos xanchor xaxis
xfrc_applied ximat xipos xiquat xmat xpos xquat body_awake body_awake_ind dof_awake_ind nbody_awake nparent_awake ntree_awake
nv_awake parent_awake_ind tree_asleep tree_awake flg_energypos flg_energyvel flg_subtreevel qfrc_inverse
warning signature nA nY efc_AR efc_AR_colind efc_AR_rowadr efc_AR_rownnz efc_Y efc_Y_colind efc_Y_rowadr efc_Y_rownnz""".split())
TO_DT = set("""act actuator_force cacc cfrc_ext cfrc_int efc_b efc_force qacc qacc_smooth qacc_warmstart qfrc_actuator
qfrc_constraint qfrc_smooth qpos qvel sensordata""".split())
OTHER = set("""solver solver_niter solver_nnz solver_fwdinv timer flg_rnepost nisland nidof dof_island efc_island tree_island island_dofadr
island_idofadr island_iefcadr island_itreeadr island_ne island_nefc island_nf island_ntree island_nv map_dof2idof map_efc2iefc
map_idof2dof map_iefc2efc map_itree2tree iacc iacc_smooth iefc_D iefc_R iefc_aref iefc_force iefc_frictionloss iefc_id iefc_state
iefc_type ifrc_constraint ifrc_smooth qDeriv qH qHDiagInv qLU maxuse_arena maxuse_con maxuse_efc maxuse_stack narena nbuffer
nplugin parena pbase pstack threadpool efm_K_colind efm_K_rowadr efm_K_rownnz efm_K_val efm_L efm_active efm_aid efm_ak
efm_as efm_c efm_ca efm_ck efm_con_ind efm_con_val efm_diag efm_dofid efm_fluid efm_sdiag efm_tid efm_tk efm_ts nefmA
nefmK nefmL nefmT nefmcon nefmdof flex_hessian_valid flexedge_hessian flexelem_krot flexvert_conage flexvert_hessian
flexvert_lambda""".split())
NOT_FIELDS = set("""actuator bind bind_scalar body cam camera contact geom jnt joint light model sensor site ten tendon""".split())


def value(data, name):
    if name == "warning":
        return np.array([w.number for w in data.warning], float)
    return np.atleast_1d(np.asarray(getattr(data, name))).astype(float).ravel()


def both(dt, steps=1, xml=ROBOT, warm=600):
    """One or more steps of each, from a state that MuJoCo has reached."""
    model = mujoco.MjModel.from_xml_string(xml)
    start = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    for i in range(warm):
        start.ctrl[:] = 0.5 * np.sin(0.01 * i + np.arange(model.nu))
        mujoco.mj_step(model, start)
    start.qvel[:2] += 0.3 * rng.normal(size=2)
    model.opt.timestep = dt
    sim = pf.Simulation(model)
    ours, theirs = mujoco.MjData(model), mujoco.MjData(model)
    for data in (ours, theirs):
        mujoco.mj_copyData(data, model, start)
    for _ in range(steps):
        sim.step(ours)
        mujoco.mj_step(model, theirs)
    mujoco.mj_rnePostConstraint(model, theirs)  # lazily: only if something asks
    return model, ours, theirs, sim


def test_every_field_of_mjdata_has_a_class():
    names = {n for n in dir(mujoco.MjData) if not n.startswith("_")}
    assert names == SAME | TO_DT | OTHER | NOT_FIELDS
    classes = [SAME, TO_DT, OTHER, NOT_FIELDS]
    assert not any(a & b for i, a in enumerate(classes) for b in classes[i + 1:])
    table = (Path(__file__).parents[3] / "docs" / "parity.md").read_text()
    listed = set(re.findall(r"`([A-Za-z0-9_]+)`", table))
    assert (SAME | TO_DT | OTHER) <= listed, sorted((SAME | TO_DT | OTHER) - listed)


@pytest.mark.parametrize("options", ["", '<option cone="elliptic"/>', '<option jacobian="sparse"/>', '<option jacobian="dense"/>'])
def test_fields_that_are_the_same(options):
    model, ours, theirs, _ = both(1e-3, xml=ROBOT.replace("<default>", options + "<default>", 1))
    assert ours.ncon == theirs.ncon > 0 and ours.nefc == theirs.nefc >= 6
    wrong = []
    for name in sorted(SAME):
        a, b = value(ours, name), value(theirs, name)
        if a.shape != b.shape or not np.allclose(a, b, rtol=1e-9, atol=1e-12, equal_nan=True):
            wrong.append((name, a.shape, b.shape))
    assert wrong == []


def test_fields_that_are_the_same_to_the_time_step():
    """Both methods are of first order: what differs must halve with the step."""
    pairs = [both(dt)[1:3] for dt in (1e-3, 5e-4, 2.5e-4)]
    wrong = []
    for name in sorted(TO_DT):
        gaps = [np.abs(value(a, name) - value(b, name)) for a, b in pairs]
        scale = np.abs(value(pairs[0][1], name)).max()
        bad = (gaps[2] > 0.35 * gaps[0] + 1e-5 * scale) | (gaps[0] > 0.1 * scale)
        if bad.any():
            wrong.append((name, np.nonzero(bad)[0], [g[bad] for g in gaps], scale))
    assert wrong == []


def test_readers_of_forces():
    model, ours, theirs, _ = both(1e-3)
    for i in range(ours.ncon):
        f, g = np.zeros(6), np.zeros(6)
        mujoco.mj_contactForce(model, ours, i, f)
        mujoco.mj_contactForce(model, theirs, i, g)
        assert f == pytest.approx(g, abs=1e-4)
        assert f[0] == pytest.approx(GRAVITY, rel=1e-3), "the ball rests"
    x, y, rhs = np.zeros((1, model.nv)), np.zeros((1, model.nv)), np.arange(1.0, 1 + model.nv)[None]
    mujoco.mj_solveM(model, ours, x, rhs)
    mujoco.mj_solveM(model, theirs, y, rhs)
    assert np.array_equal(x, y) and np.abs(x).max() > 0
    back = np.zeros(model.nv)
    mujoco.mj_mulJacTVec(model, ours, back, ours.efc_force)
    assert back == pytest.approx(ours.qfrc_constraint, abs=1e-9)
    before = ours.cfrc_ext.copy()
    mujoco.mj_rnePostConstraint(model, ours)
    assert ours.cfrc_ext == pytest.approx(before, abs=1e-12)


def test_islands_and_iterations_are_not_stale():
    model, ours, _, sim = both(1e-3)
    assert ours.nisland == 0 and ours.solver_niter[0] == sim.report.solver.iterations > 0 and not ours.solver_niter[1:].any()


# Patches -------------------------------------------------------------------------------------------------------------

PUSHED = """<mujoco><option timestep="0.002" %s/><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body name="cube" pos="0 0 .05"><freejoint/><geom name="cube" type="box" size=".05 .05 .05" mass="1"/>
<site name="sole" type="box" size=".06 .06 .06"/><site name="left" type="box" size=".025 .06 .06" pos="-.025 0 0"/></body></worldbody>
<sensor><touch name="sole" site="sole"/><touch name="left" site="left"/><touch name="cut" site="sole" cutoff="4"/>
<touch name="late" site="sole" delay=".01" nsample="10"/><force site="sole"/>%s</sensor></mujoco>"""


def pushed(cone="", sensors="", steps=400, **options):
    model = mujoco.MjModel.from_xml_string(PUSHED % (cone, sensors))
    data, sim = mujoco.MjData(model), pf.Simulation(model, compliance={"cube": pf.Compliant(1e6, mu=0.6)}, **options)
    data.qfrc_applied[0] = 2.0
    for _ in range(steps):
        sim.step(data)
    return model, data, sim


@pytest.mark.parametrize("cone", ["", 'cone="elliptic"'])
def test_patches_in_data_contact_carry_the_wrench(cone):
    model, data, sim = pushed(cone, contacts="data")
    (patch,) = sim.patches
    assert data.ncon == 1 and {*data.contact[0].geom} == {patch.geom_A, patch.geom_B}
    f = np.zeros(6)
    mujoco.mj_contactForce(model, data, 0, f)
    frame = data.contact[0].frame.reshape(3, 3)
    force, moment = frame.T @ f[:3], frame.T @ f[3:]
    assert force == pytest.approx(patch.force, abs=1e-9)
    about = patch.moment + np.cross(patch.cop - data.contact[0].pos, patch.force)
    assert moment == pytest.approx(about, abs=1e-9)
    # The cube rests under 2 N along x: weight up, 2 N back, and the moment of both about the contact.
    assert force == pytest.approx([-2.0, 0, GRAVITY], abs=1e-3)
    back = np.zeros(model.nv)
    mujoco.mj_mulJacTVec(model, data, back, data.efc_force)
    assert back == pytest.approx(data.qfrc_constraint, abs=1e-9)
    before = data.cfrc_ext.copy(), data.cfrc_int.copy()
    mujoco.mj_rnePostConstraint(model, data)
    assert data.cfrc_ext == pytest.approx(before[0], abs=1e-9) and data.cfrc_int == pytest.approx(before[1], abs=1e-9)
    assert np.abs(data.cfrc_ext[1]).max() > 9


def test_listing_patches_changes_no_bit_of_the_motion():
    a, b = pushed(steps=50)[1], pushed(steps=50, contacts="data")[1]
    assert np.array_equal(a.qpos, b.qpos) and np.array_equal(a.qvel, b.qvel)
    assert a.cfrc_ext == pytest.approx(b.cfrc_ext, abs=1e-9) and a.sensordata == pytest.approx(b.sensordata, abs=1e-9)


@pytest.mark.parametrize("contacts", ["patches", "data"])
def test_touch_sensors(contacts):
    """The whole weight; about half of it (the push moves pressure to the right); the cutoff; the weight of 10 ms ago."""
    model, data, sim = pushed(contacts=contacts)
    sole, left, cut, late = data.sensordata[:4]
    (patch,) = sim.patches
    assert sole == pytest.approx(patch.normal_force, abs=1e-9) and sole == pytest.approx(GRAVITY, abs=1e-3)
    share = patch.normal_traction * patch.face_area
    # A face on the border has points on both sides.
    inside = share[patch.centroid[:, 0] < data.xpos[1, 0] - 1e-2].sum(), share[patch.centroid[:, 0] < data.xpos[1, 0] + 1e-2].sum()
    assert inside[0] - 1e-9 <= left <= inside[1] + 1e-9 and 2 < left < 6
    assert cut == 4
    history = []
    for _ in range(30):
        data.qfrc_applied[2] -= 0.1
        sim.step(data)
        history.append((data.sensor("sole").data[0], data.sensor("late").data[0]))
    history = np.array(history)
    assert history[5:, 1] == pytest.approx(history[:-5, 0], abs=1e-6), "five steps of 2 ms later"
    assert history[-1, 0] > GRAVITY + 2.5


def test_contact_sensors_see_patches():
    sensors = """<contact name="found" geom1="cube" num="1" data="found force torque dist pos normal"/>
<contact name="net" body1="cube" reduce="netforce" num="1" data="force"/>"""
    model, data, sim = pushed(sensors=sensors)
    (patch,) = sim.patches
    found, net = data.sensor("found").data, data.sensor("net").data
    assert found[0] == 1 and data.ncon == 1
    # The normal leaves the sensor's geom, so the force is what the cube does to the floor, normal first.
    assert found[1] == pytest.approx(patch.normal_force, rel=1e-6) and np.linalg.norm(found[1:4]) == pytest.approx(
        np.linalg.norm(patch.force), rel=1e-9)
    assert np.abs(net) == pytest.approx(np.abs(patch.force), abs=1e-9)


def test_energy_sensors_follow_the_motion():
    xml = """<mujoco><option timestep="0.002"/><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body pos="0 0 1"><freejoint/>
<geom name="ball" size=".05" mass="2"/></body></worldbody><sensor><e_potential/><e_kinetic/></sensor></mujoco>"""
    model = mujoco.MjModel.from_xml_string(xml)
    data, sim = mujoco.MjData(model), pf.Simulation(model, compliance={"ball": pf.Compliant(1e6)})
    for _ in range(50):
        sim.step(data)
    t = data.time - 0.002  # sensors are of the start of the step
    assert data.sensordata[0] == pytest.approx(2 * GRAVITY * (1 - GRAVITY * t * t / 2), rel=1e-2)
    assert data.sensordata[1] == pytest.approx((GRAVITY * t)**2, rel=1e-9)
    model.opt.enableflags |= mujoco.mjtEnableBit.mjENBL_ENERGY
    sim.step(data)
    assert data.energy[0] == data.sensordata[0] and data.energy[1] == data.sensordata[1]


def test_forward_finds_the_forces_of_the_next_step_and_moves_nothing():
    model, data, sim = pushed(contacts="data")
    other = mujoco.MjData(model)
    mujoco.mj_copyData(other, model, data)
    q, v, t = data.qpos.copy(), data.qvel.copy(), data.time
    report = sim.forward(data)
    assert report.patches == 1 and np.array_equal(q, data.qpos) and np.array_equal(v, data.qvel) and t == data.time
    sim.copy().step(other)
    for name in ("qacc", "qfrc_constraint", "cfrc_ext", "sensordata", "efc_force"):
        assert np.array_equal(value(data, name), value(other, name)), name


def test_step1_and_step2_make_a_step():
    model, data, sim = pushed(steps=20)
    other = mujoco.MjData(model)
    mujoco.mj_copyData(other, model, data)
    for i in range(10):
        sim.step1(data)
        data.qfrc_applied[0] = other.qfrc_applied[0] = 0.1 * i  # a controller between the two
        sim.step2(data)
        sim.step(other)
    assert np.array_equal(data.qpos, other.qpos) and np.array_equal(data.qvel, other.qvel)
    # Without step1, or with another state in between, step2 does that part again.
    data.qpos[2] = other.qpos[2] = 0.0501
    sim.step1(data)
    data.qpos[0] = other.qpos[0] = 0.3
    sim.step2(data)
    sim.step(other)
    sim.step2(data)
    sim.step(other)
    assert np.array_equal(data.qpos, other.qpos)


def test_the_control_callback_sees_the_time_step_in_use():
    model, data, _ = cube()
    sim = pf.Simulation(model, time_step=5e-4, compliance={"cube": pf.Compliant(1e6)})
    seen = []
    mujoco.set_mjcb_control(lambda m, d: seen.append(m.opt.timestep))
    try:
        sim.step(data)
        sim.forward(data)
        sim.step1(data)
    finally:
        mujoco.set_mjcb_control(None)
    assert seen == [5e-4] * 3 and model.opt.timestep == 0.002
