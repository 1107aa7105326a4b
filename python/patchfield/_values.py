# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
"""Values as values: shapes, bodies, options and reports can be printed, compared, copied and pickled.

Each class says by which arguments it was made; the rest follows from them.
"""

import sys
import warnings
from typing import Any, Callable

import numpy as np

from . import _core

Arguments = tuple[tuple[Any, ...], dict[str, Any]]

SHAPES: dict[type, tuple[str, ...]] = {
    _core.Sphere: ("radius",),
    _core.Box: ("x", "y", "z"),
    _core.Cylinder: ("radius", "length"),
    _core.Capsule: ("radius", "length"),
    _core.Ellipsoid: ("a", "b", "c"),
    _core.HalfSpace: (),
    _core.ConvexHull: ("points",),
    _core.TriangleMesh: ("vertices", "triangles"),
    _core.TetMesh: ("vertices", "tets"),
    _core.TaxelGrid: ("rows", "columns", "width", "height", "X_GT", "one_sided"),
}
OPTIONS = (
    "kind", "linear_algebra", "islands", "max_iterations", "relative_tolerance", "absolute_tolerance", "stiction_speed",
    "sigma", "beta", "lag_iterations", "tamsi_iterations", "tamsi_max_turn", "tamsi_max_substeps",
)  # fmt: skip


def _text(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"<{' × '.join(map(str, value.shape))}>"
    return f"{value:g}" if isinstance(value, float) else repr(value)


def _same(a: Any, b: Any) -> bool:
    return bool(np.array_equal(a, b)) if isinstance(a, np.ndarray) else bool(a == b)


def _key(value: Any) -> Any:
    return (value.shape, value.tobytes()) if isinstance(value, np.ndarray) else value


def _rebuild(cls: type, positional: tuple[Any, ...], named: dict[str, Any]) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # said when the original was made
        return cls(*positional, **named)


def _make_value(cls: Any, arguments: Callable[[Any], Arguments]) -> None:
    def __repr__(self: Any) -> str:
        positional, named = arguments(self)
        parts = [_text(p) for p in positional] + [f"{k}={_text(v)}" for k, v in named.items()]
        return f"{cls.__name__}({', '.join(parts)})"

    def __eq__(self: Any, other: object) -> Any:
        if type(self) is not type(other):
            return NotImplemented
        (p, n), (q, o) = arguments(self), arguments(other)
        return len(p) == len(q) and n.keys() == o.keys() and all(map(_same, p, q)) and all(_same(n[k], o[k]) for k in n)

    def __hash__(self: Any) -> int:
        positional, named = arguments(self)
        return hash((cls, *map(_key, positional), *((k, _key(v)) for k, v in named.items())))

    def __reduce__(self: Any) -> Any:
        return _rebuild, (cls, *arguments(self))

    cls.__repr__, cls.__eq__, cls.__hash__, cls.__reduce__ = __repr__, __eq__, __hash__, __reduce__


def _fields(names: tuple[str, ...]) -> Callable[[Any], Arguments]:
    def arguments(self: Any) -> Arguments:
        values = {name: getattr(self, name) for name in names}
        return (), {k: v.copy() if isinstance(v, np.ndarray) else v for k, v in values.items()}

    return arguments


def _body(self: Any) -> Arguments:
    return (() if self.shape is None else (self.shape,)), self.arguments


def _make_mutable(cls: Any) -> None:
    cls.__hash__ = None


def install() -> None:
    """Gives the classes of _core their methods. The stubs are made of the classes as they were compiled."""
    if sys.argv and sys.argv[0].endswith("stubgen.py"):
        return
    for cls, names in SHAPES.items():
        _make_value(cls, _fields(names))
    _make_value(_core.Compliant, _body)
    _make_value(_core.Rigid, _body)
    _make_value(_core.SolverOptions, _fields(OPTIONS))
    _make_mutable(_core.SolverOptions)

    def __reduce__(self: _core.Simulation) -> Any:
        return _rebuild, (_core.Simulation, (self.model,), self.options)

    def __repr__(self: _core.Simulation) -> str:
        changed = {k: v for k, v in self.options.items() if k != "solver"}
        listed = ", ".join(f"{k}={_text(v)}" for k, v in changed.items())
        model = self.model
        return f"Simulation({model.nbody - 1} bodies, {model.nv} dofs, solver={self.solver.kind!r}{', ' + listed if listed else ''})"

    simulation: Any = _core.Simulation
    simulation.__reduce__, simulation.__repr__ = __reduce__, __repr__
    simulation.__copy__ = lambda self: self.copy()
