"""Models and what one asks of them."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path
from typing import Any, Iterator, Optional, Sequence, Union

import numpy as np

from . import _arguments as check
from . import _core
from ._arguments import Texts
from ._progress import Progress, reporting
from .errors import FileError, UsageError
from .results import Answers, Attention, Layers, Measurement, PairsAudit, Substitutions, Tokens, Words

_log = logging.getLogger("wordsway")
_NORMALISERS = ("softmax-0.25", "softmax-1", "softmax-4", "sigmoid", "relu", "square")
# What load() takes, and the folder it means.
_BUILTIN = {"builtin": "builtin", "builtin-decoder": "builtin-decoder"} | {
    f"builtin-{name}-seed-{seed}": f"normalisers/{name}-seed-{seed}" for name in _NORMALISERS for seed in (1, 2)}
_builtin_models: dict[str, "Model"] = {}


def _builtin_folder(name: str) -> str:
    """Below $WORDSWAY_DATA, or in the package, as the program looks."""
    places = [Path(__file__).parent / "share" / "wordsway"]
    if "WORDSWAY_DATA" in os.environ:
        places.insert(0, Path(os.environ["WORDSWAY_DATA"]))
    folders = [place / "models" / _BUILTIN[name] for place in places]
    for folder in folders:
        if (folder / "config.json").exists():
            return str(folder)
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

    `device="cuda"` computes on an NVIDIA GPU, in a build that has it (docs/gpu.md), where `precision` is f32, tf32 or bf16.

    Raises FileError or DataError naming the file and the fault. Nothing is downloaded.
    """
    name = check.path("path", path)
    if not name:
        raise UsageError("path must name a model: a folder, FILE.gguf, or builtin")
    with reporting(progress) as tell:
        folder = _builtin_folder(name) if name in _BUILTIN else name
        return Model(_core.load(folder, check.text("device", device), check.text("precision", precision), tell), is_builtin=name == "builtin")


class TextStream:
    """The pieces of a text while a decoder writes it. Iterate once; afterwards `.text` and `.to_dict()` have all of it.

    Leaving the loop, `close()` or the end of a `with` block ends the text.
    """

    def __init__(self, native: Any, prompt: str) -> None:
        self._native = native
        self.prompt = prompt
        self._pieces: list[str] = []

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        piece = None if self._native is None else self._native.next()
        if piece is None:
            raise StopIteration
        self._pieces.append(piece)
        return str(piece)

    def close(self) -> None:
        """Ends the text where it is."""
        if self._native is not None and self._native.row() is None:
            self._native.close()
            self._native = None

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
        row = None if self._native is None else self._native.row()
        return {"prompt": self.prompt, **({"text": text, "finished": False} if row is None else row)}

    def __repr__(self) -> str:
        return f"<text after {self.prompt!r}, {len(self._pieces)} pieces so far>"


class Model:
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

    def info(self) -> dict[str, Any]:
        """What the folder or file holds: the keys of `wordsway info`."""
        return dict(self._native.info())

    # Tokens and vectors.

    def tokenize(self, texts: Texts, *, special: bool = True) -> Union[Tokens, list[Tokens]]:
        """A text as the model reads it: `.ids .tokens .offsets .word_ids`. A list of texts gives a list."""
        given = check.texts("texts", texts)
        found = [Tokens(text, one) for text, one in zip(given, self._native.tokenize(given, bool(special)))]
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

    def attention(
        self,
        texts: Texts,
        *,
        layer: Union[int, str] = 1,
        head: Union[int, str] = "mean",
        token: Optional[int] = None,
        direction: str = "attract",
        radius: float = 1.0,
        radius_unit: str = "sqrt-d",
        seed: int = 1,
        progress: Progress = None,
    ) -> Attention:
        """Where tokens look: `.attention` [tokens, tokens], row j for token j; with `token`, `.attention_after` that
        token moved too. With layer="all" or head="all", `.array` [layers, heads, tokens, tokens] of one text."""
        native = self._native
        given = check.texts("texts", texts)
        layer_name = check.layer(layer)
        head_name = str(check.whole("head", head)) if not isinstance(head, str) else head
        if "all" in (layer_name, head_name):
            if len(given) != 1 or token is not None:
                raise UsageError("layer='all' and head='all' are for one text in which no token moves")
            array, pieces = native.attention_array(given[0], layer_name, head_name)
            return Attention([{"text": given[0], "layer": layer_name, "head": head_name, "pieces": pieces}], array=array)
        moves = {k: v for k, v in check.search(radius, radius_unit, None, 1, None, seed).items()
                 if k in ("radius", "radius_unit", "seed")}  # fmt: skip
        with reporting(progress) as tell:
            found = native.attention(
                texts=given,
                layer=layer_name,
                head=head_name,
                token=check.optional_whole("token", token),
                direction=check.one_of("direction", direction, ("attract", "noise", "ascent")),
                progress=tell,
                **moves,
            )
        return Attention(list(found))

    # Words.

    def _head(self) -> Optional[Any]:
        """Who says which words fit, where the model cannot."""
        return None if self._native.predicts_masked_words else builtin_model()._native

    def words(
        self,
        texts: Texts,
        *,
        layer: Union[int, str] = "last",
        rows: str = "all",
        ball: bool = False,
        fast: bool = False,
        average: int = 0,
        prompt_name: Optional[str] = None,
        prompt: Optional[str] = None,
        radius: float = 1.0,
        radius_unit: str = "sqrt-d",
        starts: Optional[int] = None,
        steps: int = 500,
        tolerance: Optional[float] = None,
        seed: int = 1,
        journal: Optional[str] = None,
        progress: Progress = None,
    ) -> Words:
        """Which words of a text matter: replaced by 64 that fit (`typical`), by the worst real word (`worst_word`,
        `worst_change`), left out (`dropped`); with `ball` or `fast`, moved in the ball (`sensitivity`).

        layer="pooled" looks at the vector of the text, and adds cosines."""
        native = self._native
        given = check.texts("texts", texts)
        asked = {**check.output(layer, rows, prompt_name, prompt), **check.search(radius, radius_unit, starts, steps, tolerance, seed)}  # fmt: skip
        with reporting(progress) as tell:
            found = _core.words(
                model=native,
                head=self._head(),
                texts=given,
                ball=bool(ball),
                fast=bool(fast),
                builtin=self._is_builtin,
                average=check.whole("average", average, 0, 1_000_000),
                journal=check.path("journal", journal),
                progress=tell,
                **asked,
            )
        return Words(given, found)

    def substitute(
        self,
        texts: Texts,
        *,
        word: Optional[str] = None,
        token: Optional[int] = None,
        layer: Union[int, str] = "last",
        rows: str = "all",
        top: int = 5,
        candidates: Union[None, str, Sequence[str]] = None,
        evaluations: Optional[int] = None,
        exhaustive: bool = False,
        threshold: Optional[float] = None,
        unit: Optional[str] = None,
        prompt_name: Optional[str] = None,
        prompt: Optional[str] = None,
        seed: int = 1,
        journal: Optional[str] = None,
        progress: Progress = None,
    ) -> Substitutions:
        """What happens when words are replaced by other real words: `candidates` are "all" words of the vocabulary,
        "plausible" ones, or a list of your own. With `threshold` and `unit` (and layer="pooled"), which words can be
        swapped unnoticed."""
        native = self._native
        given = check.texts("texts", texts)
        if threshold is not None and unit is None:
            raise UsageError(f"threshold {threshold} of what? give unit: {', '.join(_core.unit_names())}")
        if unit is not None and threshold is None:
            raise UsageError("unit is that of threshold, which is not given")
        if threshold is not None and layer != "pooled":
            raise UsageError("threshold compares the vectors of texts: give layer='pooled'")
        if word is not None and token is not None:
            raise UsageError("give word or token, not both")
        kind = candidates if candidates is not None else ("all" if threshold is None else "plausible")
        own = [] if isinstance(kind, str) else check.texts("candidates", kind)
        if isinstance(kind, str):
            check.one_of("candidates", kind, ("all", "plausible"))
        elif not own:
            raise UsageError("candidates holds no word")
        asked = check.output(layer, rows, prompt_name, prompt)
        with reporting(progress) as tell:
            found = _core.substitute(
                model=native,
                head=self._head(),
                texts=given,
                word=check.optional_text("word", word),
                token=check.optional_whole("token", token),
                top=check.whole("top", top, 1, 1_000_000),
                candidates=kind if isinstance(kind, str) else "given",
                given=own,
                evaluations=check.optional_whole("evaluations", evaluations, 1, 100_000_000),
                exhaustive=bool(exhaustive),
                threshold=check.optional_number("threshold", threshold),
                unit=check.optional_text("unit", unit),
                seed=check.whole("seed", seed),
                journal=check.path("journal", journal),
                progress=tell,
                **asked,
            )
        return Substitutions(given, found)

    def layers(
        self,
        text: Optional[str] = None,
        *,
        token: Optional[int] = None,
        direction: Texts = ("attract", "noise", "ascent"),
        layer: str = "last",
        rows: str = "all",
        radius: float = 1.0,
        radius_unit: str = "sqrt-d",
        draws: int = 10,
        prompt_name: Optional[str] = None,
        prompt: Optional[str] = None,
        seed: int = 1,
        progress: Progress = None,
    ) -> Layers:
        """How far one moved token changes every layer; without a text, a summary of the paper and its token 42."""
        native = self._native
        check.one_of("layer", layer, ("last", "pooled", "logits"))
        asked = {**check.output(layer, rows, prompt_name, prompt), **check.search(radius, radius_unit, None, 1, None, seed)}  # fmt: skip
        for name in ("starts", "steps", "tolerance"):
            del asked[name]
        with reporting(progress) as tell:
            found = _core.layers(
                model=native,
                text=check.optional_text("text", text),
                token=check.optional_whole("token", token),
                directions=check.names("direction", direction),
                draws=check.whole("draws", draws, 1, 1_000_000),
                progress=tell,
                **asked,
            )
        return Layers(found)

    def measure(
        self,
        texts: Texts,
        *,
        layer: Union[int, str] = "last",
        rows: str = "all",
        token: Union[int, str] = "first",
        n: Union[None, int, Sequence[int]] = None,
        typical: int = 0,
        radius: float = 1.0,
        radius_unit: str = "sqrt-d",
        starts: Optional[int] = None,
        steps: int = 500,
        tolerance: Optional[float] = None,
        seed: int = 1,
        trials: Optional[int] = None,
        prompt_name: Optional[str] = None,
        prompt: Optional[str] = None,
        journal: Optional[str] = None,
        memory: float = 0,
        progress: Progress = None,
    ) -> Measurement:
        """Word sensitivity of the model itself, from its embedding to a layer; one row a text. `.delta` is the move
        that was found, where there is one row."""
        native = self._native
        given = check.texts("texts", texts)
        asked = {**check.output(layer, rows, prompt_name, prompt), **check.search(radius, radius_unit, starts, steps, tolerance, seed)}  # fmt: skip
        with reporting(progress) as tell:
            found = _core.measure_model(
                model=native,
                texts=given,
                n=check.sizes("n", n),
                token=check.token(token),
                typical=check.whole("typical", typical, 0, 1_000_000),
                trials=check.optional_whole("trials", trials, 1, 100_000_000),
                journal=check.path("journal", journal),
                memory=check.number("memory", memory, 0),
                progress=tell,
                **asked,
            )
        return Measurement(found)

    def pairs(self, pairs: Any = None, **options: Any) -> PairsAudit:
        """Does this encoder notice the word that turns the meaning? As wordsway.pairs(model, …)."""
        from .pairs import pairs as audit

        return audit(self, pairs, **options)

    # Decoders.

    def generate(
        self,
        prompt: str,
        *,
        max_new_tokens: int = 64,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 1,
        stop: Texts = (),
        template: str = "none",
    ) -> TextStream:
        """What a decoder writes after a prompt, piece by piece: `for piece in model.generate("The film was")`."""
        native = _core.generate(
            model=self._native,
            prompt=check.text("prompt", prompt),
            **_generation(max_new_tokens, temperature, top_p, seed, stop, template),
        )
        return TextStream(native, prompt)

    def answers(
        self,
        prompt_a: Optional[str] = None,
        prompt_b: Optional[str] = None,
        *,
        max_new_tokens: int = 64,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 1,
        stop: Texts = (),
        template: str = "none",
        progress: Progress = None,
    ) -> Answers:
        """Two prompts that differ in a word: what a decoder answers to each, where the answers part, and how far the
        word moves what comes next. Without prompts, a built-in pair."""
        native = self._native
        if (prompt_a is None) != (prompt_b is None):
            raise UsageError("answers compares two prompts; there is 1")
        with reporting(progress) as tell:
            found = _core.answers(
                model=native,
                prompt_a=check.optional_text("prompt_a", prompt_a),
                prompt_b=check.optional_text("prompt_b", prompt_b),
                progress=tell,
                **_generation(max_new_tokens, temperature, top_p, seed, stop, template),
            )
        return Answers(found["prompts"], json.loads(found["json"]), found["tokens_a"], found["tokens_b"], self.name)


def _generation(
    max_new_tokens: Any, temperature: Any, top_p: Any, seed: Any, stop: Any, template: Any
) -> dict[str, Any]:
    return {
        "max_new_tokens": check.whole("max_new_tokens", max_new_tokens, 0),
        "temperature": check.number("temperature", temperature, 0, 1e100),
        "top_p": check.number("top_p", top_p, 0, 1),
        "seed": check.whole("seed", seed),
        "stop": check.texts("stop", stop),
        "template": check.text("template", template),
    }
