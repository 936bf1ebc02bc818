"""Writes wordsway/_questions.py: a function and a method of Model for every question, with its keywords, their types,
defaults and help. Run by the build, with the folder of the built module _core and the file to write."""

from __future__ import annotations

import importlib
import importlib.util
import keyword
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

TYPES = {"flag": "bool", "whole": "int", "number": "float", "text": "str", "label": "Union[int, str]", "bytes": "Union[float, str]",
         "wholes": "Union[int, Sequence[int]]", "numbers": "Union[float, Sequence[float]]", "names": "Union[str, Sequence[str]]",
         "texts": "Texts", "model": 'Union["Model", Path]', "array": "Any", "path": "Path"}  # fmt: skip

HEAD = '''"""The questions as functions, and as methods of Model. Written by the build from what each question declares about its
keywords; do not edit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Optional, Sequence, Union

from ._arguments import Path, Texts
from ._ask import answer
from ._progress import Progress
from .results import {results}

if TYPE_CHECKING:
    from .model import Model

__all__ = {names}
'''


def result_classes(package: Path) -> dict[str, str]:
    """Question to class, as results.py declares them."""
    source = (package / "results.py").read_text(encoding="utf-8")
    return {name: cls for cls, name in re.findall(r'^class (\w+)\([^)\n]*question="(\w+)"\)', source, re.M)}


def type_of(field: dict[str, Any]) -> str:
    if field["kind"] == "choice" and field["choices"]:
        return "Literal[" + ", ".join(f'"{name}"' for name in field["choices"]) + "]"
    return TYPES.get(field["kind"], "str")


def parameter(field: dict[str, Any], default: Any) -> str:
    kind = type_of(field)
    optional = default is None and kind != "Any"
    return f"{field['name']}: {f'Optional[{kind}]' if optional else kind} = {default!r}"


def in_python(help_text: str) -> str:
    """Flags as keywords."""
    named = re.sub(r"(?<![\w-])--([a-z][a-z0-9-]*)", lambda match: match.group(1).replace("-", "_"), help_text)
    return re.sub(r"(?<![\w-])-m(?![\w-])", "model", re.sub(r"(?<![\w-])-i(?![\w-])", "input", named))


def docstring(question: dict[str, Any], fields: list[dict[str, Any]], indent: str) -> str:
    lines = [question["summary"] + "."]
    for field in fields:
        text = in_python(field["help"])
        if field["default_text"]:
            text += f" (default: {in_python(field['default_text'])})"
        lines += textwrap.wrap(f"{field['name']}: {text}", 112 - len(indent), subsequent_indent="    ")
    body = "\n".join(indent + line if line else "" for line in [lines[0], "", *lines[1:]])
    return f'{indent}"""{body.strip()}\n{indent}"""\n'.replace("\\", "\\\\")


def function(question: dict[str, Any], result: str, default_of: Any, is_method: bool) -> str:
    fields = [field for field in question["fields"]
              if not (is_method and field["name"] in ("model", "device", "precision"))]  # fmt: skip
    first = [field for field in fields if field["is_first"]] if not is_method else []
    first = first or [field for field in fields if field["is_argument"]]
    rest = [field for field in fields if field not in first]
    indent = "    " if is_method else ""
    parameters = ["self"] if is_method else []
    parameters += [parameter(field, default_of(field)) for field in first] + ["*"]
    parameters += [parameter(field, default_of(field)) for field in rest] + ["progress: Progress = None"]
    given = (['"model": self'] if is_method else []) + [f'"{field["name"]}": {field["name"]}' for field in fields]
    lines = "".join(f"{indent}    {one},\n" for one in parameters)
    values = "".join(f"{indent}        {one},\n" for one in given)
    return (f"{indent}def {question['name']}(\n{lines}{indent}) -> {result}:\n"
            f"{docstring(question, first + rest, indent + '    ')}"
            f"{indent}    found = answer(\"{question['name']}\", {{\n{values}{indent}    }}, progress)\n"
            f"{indent}    return {result}(found)\n")  # fmt: skip


def load_table(package: Path, module_folder: Path) -> Any:
    """wordsway._ask without the package around it, which is not whole yet."""
    sys.path.insert(0, str(module_folder))
    core = importlib.import_module("_core")
    name = "wordsway_being_built"
    spec = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    assert spec is not None
    parent = importlib.util.module_from_spec(spec)
    parent.__path__ = [str(package)]
    parent._core = core  # type: ignore[attr-defined]
    sys.modules[name] = parent
    sys.modules[name + "._core"] = core
    return importlib.import_module(name + "._ask")


def main() -> None:
    module_folder, output = Path(sys.argv[1]), Path(sys.argv[2])
    package = Path(__file__).parent / "wordsway"
    table = load_table(package, module_folder)
    classes = result_classes(package)
    questions = [{**one, "fields": list(one["fields"].values())} for one in table.table().values()]
    for question in questions:
        for name in (question["name"], *(field["name"] for field in question["fields"])):
            if not name.isidentifier() or keyword.iskeyword(name):
                raise SystemExit(f"{question['name']}: '{name}' is no name for a keyword of Python")
    names = [question["name"] for question in questions]
    used = sorted({classes.get(name, "Result") for name in names})
    parts = [HEAD.format(results=", ".join(used), names=names)]
    parts += [function(question, classes.get(question["name"], "Result"), table.default_of, False) for question in questions]
    methods = [function(question, classes.get(question["name"], "Result"), table.default_of, True)
               for question in questions if any(field["kind"] == "model" for field in question["fields"])]  # fmt: skip
    parts.append('class ModelQuestions:\n    """What one asks of a model."""\n\n' + "\n".join(methods))
    output.write_text("\n\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
