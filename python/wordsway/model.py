"""Models and what one asks of them."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any, Iterator, Optional, Union

import numpy as np

from . import _arguments as check
from . import _core
from ._arguments import Texts
from ._ask import Growing, answer
from ._progress import Progress, reporting
from .errors import FileError, UsageError
from ._questions import ModelQuestions
from .results import Answers, PairsAudit, Tokens

_log = logging.getLogger("wordsway")
_NORMALISERS = ("softmax-0.25", "softmax-1", "softmax-4", "sigmoid", "relu", "square")
# What load() takes, and the folder it means.
_BUILTIN = {"builtin": "builtin", "builtin-decoder": "builtin-decoder"} | {
    f"builtin-{name}-seed-{seed}": f"normalisers/{name}-seed-{seed}" for name in _NORMALISERS for seed in (1, 2)}
_builtin_models: dict[str, "Model"] = {}


def _folder(path: bytes) -> bytes:
    """Where it is: of a built-in model below $WORDSWAY_DATA, or in the package, as the program looks."""
    name = os.fsdecode(path)
    if name not in _BUILTIN:
        return path
    places = [Path(__file__).parent / "share" / "wordsway"]
    if "WORDSWAY_DATA" in os.environ:
        places.insert(0, Path(os.environ["WORDSWAY_DATA"]))
    folders = [place / "models" / _BUILTIN[name] for place in places]
    for folder in folders:
        if (folder / "config.json").exists():
            return os.fsencode(folder)
    looked = ", ".join(str(folder) for folder in folders)
    raise FileError(f"the model '{name}' does not come with this wordsway; looked in {looked}")


def builtin_model() -> "Model":
    """The built-in encoder, loaded once: it reads the built-in reviews and says which words fit a place."""
    if "builtin" not in _builtin_models:
        _builtin_models["builtin"] = load("builtin")
    return _builtin_models["builtin"]


def load(
    path: Union[str, "os.PathLike[str]"] = "builtin",
    *,
    device: str = "cpu",
    precision: str = "f32",
    progress: Progress = None,
) -> "Model":
    """Reads a model: a folder as Hugging Face stores it (config.json, model.safetensors, tokenizer.json or vocab.txt;
    sentence-transformers folders too), a GGUF file, or `builtin`, the small encoder that comes with wordsway.

    `device="cuda"` computes on an NVIDIA GPU, in a build that has it (docs/gpu.md), where `precision` is f32, tf32 or
    bf16.

    Raises FileError or DataError naming the file and the fault. Nothing is downloaded.
    """
    name = check.path("path", path)
    if not name:
        raise UsageError("path must name a model: a folder, FILE.gguf, or builtin")
    with reporting(progress) as tell:
        native = _core.load(_folder(name), check.text("device", device), check.text("precision", precision), tell)
        return Model(native, is_builtin=name == b"builtin")


class TextStream:
    """The pieces of a text while a decoder writes it. Iterate once; afterwards `.text` and `.to_dict()` have all of it.

    Leaving the loop, `close()` or the end of a `with` block ends the text.
    """

    def __init__(self, growing: Growing, prompt: str) -> None:
        self._growing = growing
        self.prompt = prompt
        self._pieces: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        piece = self._growing.next()
        if piece is None:
            raise StopIteration
        self._pieces.append(piece)
        return str(piece)

    def close(self) -> None:
        """Ends the text where it is."""
        self._growing.close()

    def __enter__(self) -> "TextStream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def text(self) -> str:
        """All of it; waits for the end."""
        for _ in self:
            pass
        return "".join(self._pieces)

    def to_dict(self) -> dict[str, Any]:
        """The keys of `wordsway generate`: prompt, prompt_ids, ids, text, finished, seconds, tokens_per_second."""
        text = self.text
        rows = self._growing.rows()
        return rows[0] if rows else {"prompt": self.prompt, "text": text, "finished": False}

    def __repr__(self) -> str:
        return f"<text after {self.prompt!r}, {len(self._pieces)} pieces so far>"


class Model(ModelQuestions):
    """A transformer with its tokenizer. Made by `load`; may be used from several threads at once."""

    def __init__(self, native: Any, *, is_builtin: bool = False) -> None:
        if not isinstance(native, _core.Model):
            raise UsageError("a Model is made by wordsway.load(path)")
        self._held: Optional[Any] = native
        self._is_builtin = is_builtin

    # What it is.

    @property
    def _native(self) -> Any:
        if self._held is None:
            raise UsageError("the model is closed: load it again")
        return self._held

    def close(self) -> None:
        """Lets the weights go. Everything but this then raises UsageError."""
        self._held = None

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._held is None:
            return "<wordsway.Model, closed>"
        kind = "decoder" if self.is_decoder else "encoder"
        return f"<wordsway.Model {self.name!r}: {kind}, {self.num_layers} layers, d = {self.hidden_size}>"

    @property
    def name(self) -> str:
        """That of the folder, or of the file."""
        return str(self._native.name)

    @property
    def num_layers(self) -> int:
        return int(self._native.layers)

    @property
    def num_heads(self) -> int:
        return int(self._native.heads)

    @property
    def hidden_size(self) -> int:
        return int(self._native.hidden_size)

    @property
    def max_seq_length(self) -> int:
        """The longest text in tokens, special ones included; longer ones are cut."""
        return int(self._native.most_tokens)

    @property
    def is_decoder(self) -> bool:
        return bool(self._native.is_decoder)

    def get_sentence_embedding_dimension(self) -> int:
        return int(self._native.vector_size)

    def info(self) -> dict[str, Any]:  # type: ignore[override]
        """What the folder or file holds: the keys of `wordsway info`."""
        return dict(json.loads(answer("info", {"model": self}).json()))

    # Tokens and vectors.

    def tokenize(self, texts: Texts, *, special: bool = True) -> Union[Tokens, list[Tokens]]:  # type: ignore[override]
        """A text as the model reads it: `.ids .tokens .offsets .word_ids`. A list of texts gives a list."""
        given = check.texts("texts", texts)
        parts = answer("tokenize", {"model": self, "texts": given, "special": special}).parts if given else []
        found = [Tokens(text, rows) for text, rows in zip(given, parts)]
        return found[0] if isinstance(texts, str) else found

    def encode(
        self,
        sentences: Texts,
        prompt_name: Optional[str] = None,
        prompt: Optional[str] = None,
        batch_size: int = 32,
        show_progress_bar: Progress = None,
        output_value: Optional[str] = "sentence_embedding",
        precision: str = "float32",
        convert_to_numpy: bool = True,
        convert_to_tensor: bool = False,
        device: Any = None,
        normalize_embeddings: bool = False,
    ) -> Any:
        """Vectors of texts, float32: [d] of a text, [texts, d] of a list, as SentenceTransformer.encode gives them.

        The whole chain of the folder is used: prompt, pooling, dense layers, normalisation. `batch_size`, `device` and
        `convert_to_numpy` are accepted and ignored: texts are batched by themselves, on the CPU.
        """
        native = self._native
        if output_value not in ("sentence_embedding", "token_embeddings"):
            raise UsageError(f"output_value must be sentence_embedding or token_embeddings; got {output_value!r}")
        if precision != "float32":
            raise UsageError(f"precision must be float32, which is what the model computes in; got {precision!r}")
        texts = check.texts("sentences", sentences)
        named, given = check.optional_text("prompt_name", prompt_name), check.optional_text("prompt", prompt)
        if output_value == "token_embeddings":
            states = self.hidden_states(texts, prompt=given or "", progress=show_progress_bar)
            last = [one[-1] for one in states]
            return last[0] if isinstance(sentences, str) else last
        with reporting(show_progress_bar) as tell:
            vectors, cut = native.encode(texts, named, given, tell)
        if cut > 0:
            _log.warning("%d of %d texts were cut to the %d tokens the model takes", cut, len(texts), self.max_seq_length)
        if normalize_embeddings:
            vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), np.float32(1e-12))
        result = vectors[0] if isinstance(sentences, str) else vectors
        if convert_to_tensor:
            import torch

            return torch.from_numpy(result)
        return result

    def hidden_states(self, texts: Texts, *, prompt: str = "", progress: Progress = None) -> Any:
        """All layers, float32: [layers + 1, tokens, d], 0 being the embedding and the last after the final
        normalisation, as in Transformers. A list of texts gives a list of arrays."""
        given = check.texts("texts", texts)
        with reporting(progress) as tell:
            found = list(self._native.hidden_states(given, check.text("prompt", prompt), tell))
        return found[0] if isinstance(texts, str) else found

    # What differs from the functions that the build writes.

    def pairs(self, pairs: Any = None, **options: Any) -> PairsAudit:  # type: ignore[override]
        """Does this encoder notice the word that turns the meaning? As wordsway.pairs(model, …)."""
        from .pairs import pairs as audit

        return audit(self, pairs, **options)

    def generate(self, prompt: str, **options: Any) -> TextStream:  # type: ignore[override]
        """What a decoder writes after a prompt, piece by piece: `for piece in model.generate("The film was")`.

        Options are those of wordsway.generate: max_new_tokens, temperature, top_p, seed, stop, template."""
        return TextStream(Growing("generate", {"model": self, "texts": check.text("prompt", prompt), **options}), prompt)

    def answers(  # type: ignore[override]
        self, prompt_a: Optional[str] = None, prompt_b: Optional[str] = None, *, progress: Progress = None, **options: Any
    ) -> Answers:
        """Two prompts that differ in a word: what a decoder answers to each, where the answers part, and how far the
        word moves what comes next. Without prompts, a built-in pair. Options are those of `generate`."""
        prompts = [prompt for prompt in (prompt_a, prompt_b) if prompt is not None]
        return Answers(answer("answers", {"model": self, "prompts": prompts or None, **options}, progress))
