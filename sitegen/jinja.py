"""How templates become Python: as Jinja does it, less what templates of ours never use.

Most of a build is here, so that what a template says in one step is one step: a printed value goes through `printed`
and through nothing else, a macro is called as a function, an attribute is read as one.
"""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, nodes
from jinja2.compiler import CodeGenerator

from sitegen.safe import printed


class _Direct(CodeGenerator):
    """Leaves out escaping twice, looking for the calls' other conventions, and items that could be meant by a name."""

    def _output_child_pre(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:  # noqa: ARG002 - Jinja's
        self.write(finalize.src)

    def _output_child_post(self, node: nodes.Expr, frame: Any, finalize: Any) -> None:  # noqa: ARG002 - Jinja's
        self.write(")")

    def visit_Getattr(self, node: nodes.Getattr, frame: Any) -> None:  # noqa: N802 - Jinja's
        self.write("(")
        self.visit(node.node, frame)
        self.write(f").{node.attr}")

    def visit_Call(  # noqa: N802 - Jinja's
        self, node: nodes.Call, frame: Any, forward_caller: bool = False
    ) -> None:
        plain = isinstance(node.node, nodes.Name) and not (node.kwargs or node.dyn_args or node.dyn_kwargs)
        if forward_caller or not plain:
            super().visit_Call(node, frame, forward_caller=forward_caller)
            return
        self.visit(node.node, frame)
        self.write("(")
        for value in node.args:
            self.visit(value, frame)
            self.write(", ")
        self.write(")")


class _Environment(Environment):
    code_generator_class = _Direct

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """One table instead of a chain of two: it is looked into at every call of a macro."""
        return {**self.globals, **(d or {})}


def environment(templates: Path, **names: Any) -> Environment:
    """Autoescape whatever a template's name; an undefined name, or None where a value is printed, is a fault.

    `names` are what every template may use beside its own values.
    """
    made = _Environment(
        loader=FileSystemLoader(templates),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=printed,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        auto_reload=False,
        extensions=["jinja2.ext.loopcontrols"],
    )
    made.globals.update(names)
    return made
