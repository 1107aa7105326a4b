# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""An MJCF means here what it means to MuJoCo: friction, condim, normal law, limits, … ; what it cannot mean is a warning,
and what is changed in the model while it runs is seen or refused."""

import warnings

import mujoco
import numpy as np
import pytest

import patchfield as pf
from helpers import GRAVITY

SOFT = pf.Compliant(1e6)


def make(xml, **options):
    model = mujoco.MjModel.from_xml_string(xml)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        sim = pf.Simulation(model, **options)
    return model, mujoco.MjData(model), sim


# Friction ------------------------------------------------------------------------------------------------------------

PULLED = """<mujoco><option timestep="0.002" gravity="3 0 -9.81" cone="elliptic"/><worldbody>
<geom name="floor" type="plane" size="5 5 .1" {floor}/>
<body pos="0 0 .0499"><freejoint/><geom name="box" type="box" size=".05 .05 .05" {box}/></body></worldbody>{more}</mujoco>"""


def speed_after_pull(xml, step, steps=250):
    """Of a box under 3 m/s² along x: 3t without friction, (3 − 9.81μ)t below the cone, nothing inside it."""
    model, data, sim = make(xml, compliance={"box": SOFT} if step == "patch" else None)
    for _ in range(steps):
        mujoco.mj_step(model, data) if step == "mujoco" else sim.step(data)
    return data.qvel[0] / data.time


@pytest.mark.parametrize("step", ["mujoco", "point", "patch"])
@pytest.mark.parametrize("floor, box, more, mu", [
    ('friction=".1"', 'friction=".2"', "", 0.2),
    ('friction=".2"', 'friction=".1"', "", 0.2),
    ('friction="1"', 'friction=".1" priority="1"', "", 0.1),
    ('friction=".15" priority="2"', 'friction="1" priority="1"', "", 0.15),
    ('condim="1"', 'condim="1"', "", 0.0),
    ('condim="1" priority="1"', 'condim="3"', "", 0.0),
    ('condim="1"', 'condim="3" friction=".2"', "", 1.0),
    ("", "", '<contact><pair geom1="floor" geom2="box" friction=".25 .25"/></contact>', 0.25),
    ("", "", '<contact><pair geom1="floor" geom2="box" condim="1"/></contact>', 0.0),
])
def test_friction_of_a_pair(step, floor, box, more, mu):
    expected = max(0.0, 3.0 - GRAVITY * mu)
    assert speed_after_pull(PULLED.format(floor=floor, box=box, more=more), step) == pytest.approx(expected, abs=0.03)


def test_friction_given_beside_the_model_stands_for_the_geom_s():
    xml = PULLED.format(floor='friction=".1"', box="", more="")
    model, data, sim = make(xml, compliance={"box": pf.Compliant(1e6, mu=0.2)})
    for _ in range(250):
        sim.step(data)
    assert data.qvel[0] / data.time == pytest.approx(3 - 0.2 * GRAVITY, abs=0.02)
    model, data, sim = make(xml, compliance={"box": pf.Compliant(1e6, mu=0.2)}, friction_rule="harmonic")
    for _ in range(250):
        sim.step(data)
    assert data.qvel[0] / data.time == pytest.approx(3 - 2 * 0.1 * 0.2 / 0.3 * GRAVITY, abs=0.02)


def test_rigid_geoms_take_a_given_friction_to_their_points():
    model, data, sim = make(PULLED.format(floor="", box="", more=""), compliance={"box": pf.Rigid(mu=0.2), "floor": pf.Rigid(mu=0.1)})
    for _ in range(250):
        sim.step(data)
    assert data.qvel[0] / data.time == pytest.approx(3 - 0.2 * GRAVITY, abs=0.02)


# Normal law, torsion, rolling ----------------------------------------------------------------------------------------

BALL = """<mujoco><option timestep="0.002" {option}/><worldbody><geom name="floor" type="plane" size="5 5 .1" {both}/>
<body pos="0 0 .1"><freejoint/><geom name="ball" size=".1" mass="4.1888" {both}/></body></worldbody></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize("condim", [1, 3, 4, 6])
@pytest.mark.parametrize("mu", [0.4, 1, 2])
def test_depth_at_rest_is_mujoco_s(cone, condim, mu):
    model, data, sim = make(BALL.format(option=f'cone="{cone}"', both=f'friction="{mu}" condim="{condim}"'))
    other = mujoco.MjData(model)
    for _ in range(1000):
        sim.step(data)
        mujoco.mj_step(model, other)
    assert 0.1 - data.qpos[2] == pytest.approx(0.1 - other.qpos[2], rel=1e-4)
    if cone == "pyramidal" and mu == 0.4 and condim == 3:
        assert 0.1 - data.qpos[2] == pytest.approx(40.5e-6, rel=1e-3)


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_spinning_ball_is_braked_by_torsional_friction(cone):
    """I·ω̇ = −μ_t·m·g, I = 2/5·m·r², until it stands."""
    both = 'friction="1 .01 .0001" condim="4"'
    model, data, sim = make(BALL.format(option=f'cone="{cone}"', both=both))
    for _ in range(200):
        sim.step(data)
    data.qvel[5] = 20.0
    for _ in range(100):
        sim.step(data)
    rate = 0.01 * GRAVITY / (0.4 * 0.1**2)
    assert data.qvel[5] == pytest.approx(20 - 0.2 * rate, rel=1e-3)
    for _ in range(700):
        sim.step(data)
    assert abs(data.qvel[5]) < 1e-3 and sim.report.solver.converged


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
def test_a_rolling_ball_is_braked_by_rolling_friction(cone):
    """Rolling without slip: (m + I/r²)·v̇ = −μ_r·m·g/r."""
    both = 'friction="1 .01 .002" condim="6"'
    model, data, sim = make(BALL.format(option=f'cone="{cone}"', both=both))
    for _ in range(200):
        sim.step(data)
    data.qvel[0], data.qvel[4] = 1.0, 10.0
    for _ in range(100):
        sim.step(data)
    assert data.qvel[0] == pytest.approx(1 - 0.2 * 0.002 * GRAVITY / 0.1 / 1.4, abs=2e-3)
    free = make(BALL.format(option=f'cone="{cone}"', both='friction="1 .01 .002" condim="3"'))
    for _ in range(200):
        free[2].step(free[1])
    free[1].qvel[0], free[1].qvel[4] = 1.0, 10.0
    for _ in range(100):
        free[2].step(free[1])
    assert free[1].qvel[0] > data.qvel[0] + 0.02, "condim 3 rolls on"


# Each attribute that touches contact, actuation or integration -------------------------------------------------------

SCENE = """<mujoco><option timestep="0.0005" {option}>{flag}</option><worldbody>
<geom name="floor" type="plane" size="5 5 .1" {floor}/>
<body name="arm" pos="0 0 1" {body}><joint name="j" axis="0 1 0" damping=".1" {joint}/>
 <geom name="arm" type="capsule" fromto="0 0 0 .3 0 0" size=".03"/></body>
<body pos="1 0 .1"><freejoint/><geom name="ball" size=".1" mass="1" {ball}/></body></worldbody>{more}
<actuator>{actuator}</actuator></mujoco>"""
DEFAULTS = dict(option="", flag="", floor="", body="", joint="", ball="", more="", actuator='<motor joint="j" gear="1"/>')
POSITION = '<position joint="j" kp="8" {}/>'


def observed(attributes, patch, mj):
    xml = SCENE.format(**{**DEFAULTS, **attributes})
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.qvel[:] = [1.0, 0.5, 0, -0.3, 0, 2, 3]
    data.qpos[3] = 0.12
    data.ctrl[:] = 1.5
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sim = pf.Simulation(model, compliance={"ball": SOFT} if patch else None)
    for _ in range(400):
        mujoco.mj_step(model, data) if mj else sim.step(data)
    return np.concatenate([data.qpos, 0.1 * data.qvel]), " ".join(str(w.message) for w in caught)


FOLLOWED = {
    "geom friction": dict(floor='friction=".05"', ball='friction=".05"'),
    "geom condim 1": dict(floor='condim="1"', ball='condim="1"'),
    "geom condim 4": dict(ball='condim="4" friction="1 .05"'),
    "geom condim 6": dict(ball='condim="6" friction="1 .05 .02"'),
    "geom priority": dict(ball='friction=".05" priority="1"'),
    "geom solref": dict(ball='solref=".1 .5"', floor='solref=".1 .5"'),
    "geom solimp": dict(ball='solimp=".5 .8 .01"', floor='solimp=".5 .8 .01"'),
    "geom solmix": dict(ball='solref=".1 1" solmix="9"'),
    "geom margin": dict(ball='margin=".02"'),
    "geom gap": dict(ball='margin=".04" gap=".04"'),
    "geom contype": dict(ball='contype="0" conaffinity="0"'),
    "pair": dict(more='<contact><pair geom1="floor" geom2="ball" friction=".05 .05" solref=".1 1" condim="3"/></contact>'),
    "exclude": dict(more='<contact><exclude body1="world" body2="arm"/></contact>'),
    "body gravcomp": dict(body='gravcomp="1"'),
    "joint damping": dict(joint='armature=".1"'),
    "joint stiffness": dict(joint='stiffness="3" springref="40"'),
    "joint frictionloss": dict(joint='frictionloss=".5"'),
    "joint range": dict(joint='range="-180 8" limited="true"'),
    "joint solreflimit": dict(joint='range="-180 8" limited="true" solreflimit=".2 1"'),
    "joint actuatorfrcrange": dict(joint='actuatorfrcrange="-.2 .2"'),
    "option gravity": dict(option='gravity="0 0 -3"'),
    "option viscosity": dict(option='viscosity=".5" density="10"'),
    "option wind": dict(option='viscosity=".5" density="10" wind="3 0 0"'),
    "option o_friction": dict(option='o_friction=".05 .05 0 0 0" o_solref=".05 1"', flag='<flag override="enable"/>'),
    "flag contact": dict(flag='<flag contact="disable"/>'),
    "flag gravity": dict(flag='<flag gravity="disable"/>'),
    "flag actuation": dict(flag='<flag actuation="disable"/>'),
    "flag damper": dict(flag='<flag damper="disable"/>'),
    "flag limit": dict(joint='range="-180 8" limited="true"', flag='<flag limit="disable"/>'),
    "flag frictionloss": dict(joint='frictionloss=".5"', flag='<flag frictionloss="disable"/>'),
    "flag clampctrl": dict(actuator='<motor joint="j" ctrlrange="-.1 .1"/>', flag='<flag clampctrl="disable"/>'),
    "flag refsafe": dict(ball='solref=".0008 1"', floor='solref=".0008 1"', flag='<flag refsafe="disable"/>'),
    "actuator gear": dict(actuator='<motor joint="j" gear="3"/>'),
    "actuator ctrlrange": dict(actuator='<motor joint="j" ctrlrange="-.1 .1"/>'),
    "actuator forcerange": dict(actuator='<motor joint="j" forcerange="-.1 .1"/>'),
    "actuator position": dict(actuator=POSITION.format('kv="1"')),
    "actuator position forcerange": dict(actuator=POSITION.format('kv="1" forcerange="-3 3"')),
    "actuator velocity": dict(actuator='<velocity joint="j" kv="2"/>'),
    "actuator filter": dict(actuator='<general joint="j" dyntype="filterexact" dynprm=".1"/>'),
    "actuator actearly": dict(actuator='<general joint="j" dyntype="filterexact" dynprm=".1" actearly="true"/>'),
    "actuator integrator": dict(actuator='<intvelocity joint="j" kp="5" actrange="-2 2"/>'),
    "actuator damper": dict(actuator='<damper joint="j" kv="1" ctrlrange="0 2"/>'),
    "actuator muscle": dict(joint='range="-90 90"', actuator='<muscle joint="j" force="20"/>'),
    "actuator delay": dict(actuator='<motor joint="j" delay=".05" nsample="200"/>'),
    "actuator group": dict(option='actuatorgroupdisable="1"', actuator='<motor joint="j" group="1"/>'),
}


# Friction of MuJoCo's points gives way as softly as their normals do, and spin and rolling share one cone with sliding;
# ours sticks, and bounds them separately (docs/parity.md). A soft contact, or a large rolling friction, shows it.
FARTHER = {"geom solref": 0.06, "geom solmix": 0.06, "geom condim 6": 0.1}


@pytest.mark.parametrize("name", FOLLOWED)
def test_an_attribute_that_is_followed(name):
    """MuJoCo's own motion with the attribute (positions of order 1, turns of order 0.5), without a warning."""
    ours, text = observed(FOLLOWED[name], patch=False, mj=False)
    theirs, _ = observed(FOLLOWED[name], patch=False, mj=True)
    assert text == ""
    assert ours == pytest.approx(theirs, abs=FARTHER.get(name, 2e-2)), ours - theirs


@pytest.mark.parametrize("attributes, words, patch", [
    (dict(option='integrator="RK4"'), 'integrator="RK4"', False),
    (dict(option='integrator="implicit"'), 'integrator="implicit"', False),
    (dict(option='integrator="implicitfast"'), 'integrator="implicitfast"', False),
    (dict(option='impratio="10"'), "impratio=10", False),
    (dict(option='noslip_iterations="3"'), "noslip_iterations=3", False),
    (dict(flag='<flag eulerdamp="disable"/>'), "eulerdamp", False),
    (dict(flag='<flag sleep="enable"/>'), "flag sleep", False),
    (dict(flag='<flag fwdinv="enable"/>'), "flag fwdinv", False),
    (dict(flag='<flag invdiscrete="enable"/>'), "flag invdiscrete", False),
    (dict(ball='solref=".05 1"'), "solref and solimp of ball", True),
    (dict(ball='solimp=".8 .9 .01"'), "solref and solimp of ball", True),
    (dict(ball='margin=".01"'), "margin and gap of ball", True),
    (dict(ball='contype="0" conaffinity="0"'), "colliding with nothing", True),
    (dict(more='<contact><pair geom1="floor" geom2="ball" friction=".5 .1"/></contact>'), "second sliding friction", False),
    (dict(more='<contact><pair geom1="floor" geom2="ball" solreffriction=".1 1"/></contact>'), "solreffriction", False),
    (dict(more='<contact><pair geom1="floor" geom2="ball" solref=".1 1"/></contact>'), "solref and solimp of", True),
])
def test_an_attribute_without_effect_is_named_in_a_warning(attributes, words, patch):
    assert words in observed(attributes, patch, mj=False)[1]


def test_what_has_no_effect_is_one_warning():
    model = mujoco.MjModel.from_xml_string(
        SCENE.format(**{**DEFAULTS, "option": 'integrator="RK4" impratio="5" noslip_iterations="2"'}))
    with pytest.warns(UserWarning) as caught:
        pf.Simulation(model)
    assert len(caught) == 1


# Edits while it runs -------------------------------------------------------------------------------------------------

def test_friction_changed_in_the_model_is_seen_by_patches_and_points():
    for compliance in ({"box": SOFT}, None):
        model, data, sim = make(PULLED.format(floor="", box="", more=""), compliance=compliance)
        for _ in range(50):
            sim.step(data)
        assert abs(data.qvel[0]) < 1e-3
        model.geom_friction[:, 0] = 0.1
        data.qvel[:] = 0
        for _ in range(250):
            sim.step(data)
        assert data.qvel[0] / 0.5 == pytest.approx(3 - 0.1 * GRAVITY, abs=0.03)
        model.geom_condim[:] = 1
        before = data.qvel[0]
        for _ in range(50):
            sim.step(data)
        assert (data.qvel[0] - before) / 0.1 == pytest.approx(3, abs=0.05)


def test_masks_and_sizes_changed_in_the_model_are_refused():
    model, data, sim = make(PULLED.format(floor="", box="", more=""), compliance={"box": SOFT})
    sim.step(data)
    for column, changed in (("geom_contype", 0), ("geom_conaffinity", 2), ("geom_size", 0.2)):
        array = getattr(model, column)
        kept = array.copy()
        array[1] = changed
        with pytest.raises(pf.InputError, match=rf'{column}\[1\] \("box"\) was changed'):
            sim.step(data)
        array[:] = kept
        sim.step(data)


def test_kinds_and_limits_of_actuators_are_read_in_each_step():
    xml = """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
</worldbody><actuator><general joint="j" gainprm="0" biasprm="0 0 0"/></actuator></mujoco>"""
    model, data, sim = make(xml)
    other = mujoco.MjData(model)
    data.ctrl[0] = other.ctrl[0] = 0.1
    model.opt.timestep = 1e-3
    for i in range(600):
        if i == 100:  # a motor becomes a servo
            model.actuator_gainprm[0, 0], model.actuator_biastype[0] = 50, mujoco.mjtBias.mjBIAS_AFFINE
            model.actuator_biasprm[0, :3] = 0, -50, -5
        if i == 300:  # with a limit
            model.actuator_forcelimited[0], model.actuator_forcerange[0] = 1, (-0.5, 0.5)
            data.ctrl[0] = other.ctrl[0] = 0.5
        sim.step(data)
        mujoco.mj_step(model, other)
    assert data.qpos[0] == pytest.approx(other.qpos[0], abs=2e-3) and abs(data.actuator_force[0]) <= 0.5


@pytest.mark.parametrize("column, index", [("body_mass", 1), ("actuator_gainprm", (0, 0)), ("dof_damping", 0), ("geom_friction", (1, 0)),
                                           ("opt.gravity", 2)])
def test_a_number_of_the_model_that_is_not_finite_is_an_error(column, index):
    xml = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/><body pos="0 0 .0999"><joint name="z" type="slide" axis="0 0 1"/>
<geom name="ball" size=".1"/></body></worldbody><actuator><motor joint="z"/></actuator></mujoco>"""
    model, data, sim = make(xml, compliance={"ball": SOFT})
    data.ctrl[0] = 1.0
    sim.step(data)
    array = model.opt.gravity if column == "opt.gravity" else getattr(model, column)
    kept = array.copy()
    array[index] = np.nan
    q, t = data.qpos.copy(), data.time
    with pytest.raises(pf.InputError, match=rf"{column}\["):
        sim.step(data)
    assert np.array_equal(q, data.qpos) and t == data.time
    array[:] = kept
    sim.step(data)
    assert sim.report.solver.converged


# Compliance by name, id, body, pattern, function ---------------------------------------------------------------------

FINGERS = """<mujoco><worldbody><geom name="floor" type="plane" size="1 1 .1"/>
<body name="left_finger" pos="0 0 .2"><freejoint/><geom type="box" size=".01 .01 .02"/><geom name="left_pad" pos="0 0 .03" size=".01"/>
 <geom name="left_look" pos="0 0 .03" size=".01" contype="0" conaffinity="0"/></body>
<body name="right_finger" pos=".1 0 .2"><freejoint/><geom type="box" size=".01 .01 .02"/><geom name="right_pad" pos="0 0 .03" size=".01"/></body>
</worldbody></mujoco>"""
GEOMS = {"floor": 0, "left": 1, "left_pad": 2, "left_look": 3, "right": 4, "right_pad": 5}


def compliant(compliance):
    model, data, sim = make(FINGERS, compliance=compliance)
    return {name for name, g in GEOMS.items() if sim.is_compliant(g)}


def test_geoms_are_chosen_by_name_id_body_pattern_or_function():
    assert compliant({"left_pad": SOFT}) == {"left_pad"}
    assert compliant({4: SOFT}) == {"right"}
    assert compliant({"body:left_finger": SOFT}) == {"left", "left_pad"}
    assert compliant({"re:.*_pad": SOFT}) == {"left_pad", "right_pad"}
    assert compliant({"*": SOFT}) == compliant(SOFT) == {"floor", "left", "left_pad", "right", "right_pad"}
    assert compliant({"*": SOFT, "body:left_finger": pf.Rigid(), "left_pad": SOFT, "floor": pf.Rigid()}) == {"left_pad", "right", "right_pad"}
    assert compliant(lambda g: SOFT if g in (1, 5) else None) == {"left", "right_pad"}


@pytest.mark.parametrize("compliance, error, text", [
    ({"pad": SOFT}, pf.InputError, "left_pad"),
    ({"re:pad": SOFT}, pf.InputError, "matches no geom"),
    ({"re:.*look": SOFT}, pf.InputError, "matches no geom that collides"),
    ({"body:hand": SOFT}, pf.InputError, "left_finger"),
    ({9: SOFT}, pf.InputError, "numbered from 0"),
    ({"re:left.*": SOFT, "re:.*pad": pf.Rigid()}, pf.InputError, "named twice"),
    ({"left_pad": None}, TypeError, "NoneType"),
    ({"left_pad": 1e5}, TypeError, "float"),
    ({1.5: SOFT}, TypeError, "float"),
    ([SOFT], TypeError, "list"),
    (lambda g: 3, TypeError, "int"),
])
def test_what_chooses_nothing_or_is_nothing_is_an_error(compliance, error, text):
    with pytest.raises(error, match=text):
        make(FINGERS, compliance=compliance)
