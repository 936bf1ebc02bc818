#!/usr/bin/env python3
"""Draws words of sentences by seed, and prints what the lexicon proposes for them, for somebody to judge.

    tests/golden/lexicon/draw_words.py PROGRAM sentences.txt [--count 200] [--seed 1] > proposed.tsv

sentences.txt is what draw_sentences.py prints. One word is drawn of every sentence, among those that stand in it once.
Columns: the word's first byte, the word, the sentence, its part of speech, the commonest synonym and opposite, and up
to three words alike. judged_words.tsv has three columns more, with what a reader found: whether the synonym keeps the
meaning there, whether the opposite turns it, and how many of the words alike are grammatical there.
"""

import argparse
import json
import random
import re
import subprocess

WORD = re.compile(r"(?<![\w'-])[A-Za-z]+(?:-[A-Za-z]+)*(?![\w'-])")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("sentences")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    draw = random.Random(given.seed)
    with open(given.sentences, encoding="utf-8") as file:
        sentences = file.read().splitlines()
    draw.shuffle(sentences)
    print("begin\tword\tsentence\tpart\tsynonym\tantonym\talike")
    drawn = 0
    for sentence in sentences:
        found = [match for match in WORD.finditer(sentence)
                 if sum(other.group().lower() == match.group().lower() for other in WORD.finditer(sentence)) == 1]
        if not found or drawn == given.count:
            continue
        drawn += 1
        match = draw.choice(found)
        answer = subprocess.run([given.program, "lexicon", match.group(), "--in", sentence, "--format", "json"],
                                capture_output=True, text=True, check=True)
        row = json.loads(answer.stdout)[0]
        first = [row[name][0] if row[name] else "-" for name in ("synonyms", "antonyms")]
        print(match.start(), match.group(), sentence, row["part"] or "-", *first, "|".join(row["alike"][:3]) or "-", sep="\t")


if __name__ == "__main__":
    main()
