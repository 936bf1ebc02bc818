"""Small tokenizers of every kind that encoders have, trained on the lines below; for the scripts that make models.

Each function gives a tokenizers.Tokenizer with its special tokens, its template and nothing else set.
"""
import base64
import collections
import io
import json
import tempfile
import unicodedata

import sentencepiece
from sentencepiece import sentencepiece_model_pb2
from tokenizers import AddedToken, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers

LINES = [
    "The film was long, but nobody in the room wanted it to end.",
    "What a waste of two hours: the plot is thin, the actors are bored and the music never stops.",
    "I would watch it again tomorrow, and the day after that.",
    "He said that the ending was not what he had expected; she said it was exactly what she had hoped for.",
    "A query is a short text, a document is a long one, and both become vectors of the same length.",
    "The quick brown fox jumps over the lazy dog while the dog dreams of another fox.",
    "It isn't the best of films, it isn't the worst of films, and it's over before you know it.",
    "Numbers such as 1, 2, 30, 456 and 7890 are words too.",
    "Some text: search for the answer. Represent this sentence for searching relevant passages.",
    "Wir haben den Film in München gesehen, und er war schön und viel zu lang.",
    "Le café était fermé, mais la forêt à côté était ouverte et déjà pleine d'élèves.",
    "El niño comió una manzana mañana por la mañana, según su señora.",
    "Он сказал, что фильм был хороший, а она сказала, что плохой.",
    "電影很長，但是很好看。 日本の映画はとても面白いです。",
    "The office of the first officer is on the fifth floor, in front of the lift.",
]
BERT_NAMES = dict(pad_token="[PAD]", unk_token="[UNK]", cls_token="[CLS]", sep_token="[SEP]", mask_token="[MASK]")
FAIRSEQ_NAMES = dict(bos_token="<s>", pad_token="<pad>", eos_token="</s>", unk_token="<unk>", cls_token="<s>",
                     sep_token="</s>", mask_token="<mask>")
BERT_ORDER = ("pad_token", "unk_token", "cls_token", "sep_token", "mask_token")
FAIRSEQ_ORDER = ("cls_token", "pad_token", "sep_token", "unk_token", "mask_token")


def wordpiece(size, lowercase=True, names=None, order=BERT_ORDER):
    """BERT's tokenizer; with the names and the order of MPNet, MPNet's. The pieces of lower-case text, in any case."""
    names = names or BERT_NAMES
    normalizer = normalizers.BertNormalizer(lowercase=lowercase)
    tokens = [names[key] for key in order]
    tokens += frequent_pieces(normalizer, size - len(tokens))
    tokenizer = Tokenizer(models.WordPiece({token: i for i, token in enumerate(tokens)}, unk_token=names["unk_token"]))
    tokenizer.normalizer = normalizer
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece(prefix="##")
    tokenizer.add_special_tokens([names[key] for key in order])
    return with_template(tokenizer, names)


def frequent_pieces(normalizer, count):
    """All letters, then the most frequent words, beginnings and endings (WordPieceTrainer breaks ties by chance)."""
    letters, longer = collections.Counter(), collections.Counter()
    for line in LINES:
        for word, _ in pre_tokenizers.BertPreTokenizer().pre_tokenize_str(normalizer.normalize_str(line.lower())):
            letters.update([word[0]] + ["##" + letter for letter in word[1:]])
            longer.update([word] if len(word) > 1 else [])
            longer.update(word[:n] for n in (2, 3) if len(word) > n)
            longer.update("##" + word[-n:] for n in (2, 3) if len(word) > n)
    ranked = sorted(longer, key=lambda piece: (-longer[piece], piece))
    return sorted(letters) + ranked[:count - len(letters)]


def byte_level(size, names=None, order=FAIRSEQ_ORDER, nfc=False):
    """Byte-level BPE: RoBERTa's, and with NFC ModernBERT's."""
    names = names or FAIRSEQ_NAMES
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC() if nfc else None
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False, trim_offsets=True)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(vocab_size=size, special_tokens=[names[key] for key in order], show_progress=False,
                                  initial_alphabet=pre_tokenizers.ByteLevel.alphabet())
    tokenizer.train_from_iterator(LINES, trainer)
    mask = AddedToken(names["mask_token"], lstrip=True, special=True)
    tokenizer.add_special_tokens([mask])
    return with_template(tokenizer, names)


def unigram(size):
    """XLM-RoBERTa's tokenizer: pieces and the map of characters from SentencePiece, ids as fairseq orders them."""
    proto = sentencepiece_model_pb2.ModelProto()
    proto.ParseFromString(train_sentencepiece(size))
    pieces = [[piece.piece, piece.score] for piece in proto.pieces if piece.type == piece.NORMAL]
    vocab = [["<s>", 0.0], ["<pad>", 0.0], ["</s>", 0.0], ["<unk>", 0.0]] + pieces + [["<mask>", 0.0]]
    charsmap = base64.b64encode(proto.normalizer_spec.precompiled_charsmap).decode()
    space = {"type": "Replace", "pattern": {"Regex": " {2,}"}, "content": " "}
    metaspace = {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True}
    tokenizer = Tokenizer.from_str(json.dumps({
        "version": "1.0", "truncation": None, "padding": None, "added_tokens": [],
        "normalizer": {"type": "Sequence",
                       "normalizers": [{"type": "Precompiled", "precompiled_charsmap": charsmap}, space]},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "WhitespaceSplit"}, metaspace]},
        "post_processor": None, "decoder": metaspace,
        "model": {"type": "Unigram", "unk_id": 3, "vocab": vocab, "byte_fallback": False}}))
    tokenizer.add_special_tokens(["<s>", "<pad>", "</s>", "<unk>", AddedToken("<mask>", lstrip=True, special=True)])
    return with_template(tokenizer, FAIRSEQ_NAMES)


def train_sentencepiece(size):
    model = io.BytesIO()
    with tempfile.NamedTemporaryFile("w", suffix=".tsv", encoding="utf-8") as rules:
        rules.write(character_rules())
        rules.flush()
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(LINES * 4), model_writer=model, vocab_size=size, hard_vocab_limit=False,
            normalization_rule_tsv=rules.name, num_threads=1, minloglevel=2)
    return model.getvalue()


def character_rules():
    """A part of NFKC as SentencePiece wants it: the whole map of XLM-RoBERTa would be 300 KB."""
    rules = {}
    blocks = [(0xA0, 0x180), (0x2000, 0x2050), (0x2100, 0x2190), (0x3300, 0x3358), (0xFB00, 0xFB07), (0xFF01, 0xFFA0)]
    for code in [code for first, last in blocks for code in range(first, last)]:
        letter, composed = chr(code), unicodedata.normalize("NFKC", chr(code))
        if composed != letter:
            rules[letter] = composed
        apart = unicodedata.normalize("NFD", letter)
        if len(apart) > 1:
            rules[apart] = composed
    rules.update({"\t": " ", "\n": " ", "\r": " ", "\u200b": " ", "\ufeff": "", "\u00ad": ""})
    return "".join("\t".join(" ".join(f"{ord(letter):X}" for letter in side) for side in rule) + "\n"
                   for rule in sorted(rules.items()))


def with_template(tokenizer, names):
    first, last = names["cls_token"], names["sep_token"]
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{first} $A {last}", pair=f"{first} $A {last} $B:1 {last}:1",
        special_tokens=[(token, tokenizer.token_to_id(token)) for token in (first, last)])
    return tokenizer
