"""Models: loading, vectors as SentenceTransformer gives them, streams of text."""

import numpy as np
import pytest

import wordsway


def test_a_text_gives_a_vector_and_a_list_a_matrix(model):
    one, two = model.encode("hello"), model.encode(["hello", "world"])
    assert one.shape == (256,) and two.shape == (2, 256)
    assert one.dtype == two.dtype == np.float32
    assert np.array_equal(one, two[0])
    assert model.encode([]).shape == (0, 256)
    assert model.get_sentence_embedding_dimension() == 256


def test_arguments_of_sentence_transformers_are_taken(model):
    plain = model.encode(["hello", "world"])
    same = model.encode(["hello", "world"], batch_size=1, show_progress_bar=False, convert_to_numpy=True, device="cpu")
    assert np.array_equal(plain, same)
    unit = model.encode(["hello", "world"], normalize_embeddings=True)
    assert np.allclose(np.linalg.norm(unit, axis=1), 1, atol=1e-6)
    tokens = model.encode(["hello", "big world"], output_value="token_embeddings")
    assert [len(one) for one in tokens] == [len(model.tokenize("hello")), len(model.tokenize("big world"))]


def test_tensors_come_where_torch_is_there(model):
    torch = pytest.importorskip("torch")
    assert isinstance(model.encode("hello", convert_to_tensor=True), torch.Tensor)


def test_a_prompt_goes_before_the_text(model):
    assert not np.array_equal(model.encode("hello"), model.encode("hello", prompt="query: "))


def test_hidden_states_begin_with_the_embedding(model):
    states = model.hidden_states("I love her smile")
    assert states.shape == (model.num_layers + 1, len(model.tokenize("I love her smile")), model.hidden_size)
    several = model.hidden_states(["I love her smile", "yes"])
    assert np.array_equal(several[0], states)


def test_tokens_have_their_place(model):
    tokens = model.tokenize("naïve Smile")
    assert len(tokens.ids) == len(tokens.tokens) == len(tokens.offsets) == len(tokens.word_ids)
    inside = [k for k, word in enumerate(tokens.word_ids) if word == 1]
    begin, end = tokens.offsets[inside[0], 0], tokens.offsets[inside[-1], 1]
    assert "naïve Smile"[begin:end] == "Smile"
    assert len(model.tokenize("hello", special=False)) == len(model.tokenize("hello")) - 2


def test_attention_rows_are_distributions(model):
    found = model.attention("I love her smile", token=2)
    assert np.allclose(found.attention.sum(axis=1), 1, atol=1e-5)
    assert found.attention_after.shape == found.attention.shape
    several = model.attention(["I love", "her smile"])
    assert [one.text for one in several.results] == ["I love", "her smile"]


def test_a_closed_model_says_so(model):
    with wordsway.load() as mine:
        assert mine.encode("hello").shape == (256,)
    with pytest.raises(wordsway.UsageError, match="closed"):
        mine.encode("hello")
    assert "closed" in repr(mine)


def test_a_stream_may_be_left(decoder):
    with decoder.generate("The film was", max_new_tokens=200) as stream:
        first = next(iter(stream))
    assert isinstance(first, str)
    assert stream.to_dict()["finished"] is False
    for piece in decoder.generate("The film was", max_new_tokens=200):
        break  # the rest is not waited for


def test_pieces_make_the_text(decoder):
    stream = decoder.generate("The film was", max_new_tokens=10)
    assert "".join(stream) == stream.text == stream.to_dict()["text"]


def test_models_that_predict_no_masked_words_get_help(decoder):
    found = decoder.words("The film was good", layer="logits", candidates="all")
    assert any("built-in model says which words fit" in remark for remark in found.remarks)
    assert len(found.typical_divergence) == 4
