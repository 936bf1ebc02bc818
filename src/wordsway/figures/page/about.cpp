#include "wordsway/figures/page/about.h"

namespace wordsway {

const char* const kAboutWordSensitivity = R"html(
<section id="about">
<h2>What word sensitivity is, and what it is not</h2>
<div class="about">
<div>
<p>A text of <i>n</i> words is a list of vectors <i>x</i><sub>1</sub> … <i>x</i><sub><i>n</i></sub> of length √<i>d</i> in
<i>d</i> dimensions. Move one of them, word <i>i</i>, by some Δ that is no longer than the word itself. The word sensitivity of a
representation φ is the largest relative change that such a move can cause:</p>
<div class="formula"><math display="block"><mrow><msub><mi>S</mi><mi>i</mi></msub><mo>(</mo><mi>X</mi><mo>)</mo><mo>=</mo>
<munder><mo>sup</mo><mrow><mo>‖</mo><mi mathvariant="normal">Δ</mi><mo>‖</mo><mo>≤</mo><msqrt><mi>d</mi></msqrt></mrow></munder>
<mfrac><mrow><mo>‖</mo><mi>φ</mi><mo>(</mo><msup><mi>X</mi><mi>i</mi></msup><mo>(</mo><mi mathvariant="normal">Δ</mi><mo>)</mo><mo>)</mo>
<mo>−</mo><mi>φ</mi><mo>(</mo><mi>X</mi><mo>)</mo><mo>‖</mo></mrow>
<mrow><mo>‖</mo><mi>φ</mi><mo>(</mo><mi>X</mi><mo>)</mo><mo>‖</mo></mrow></mfrac></mrow></math></div>
<p>Near 0, no change of that one word can be seen in the representation. Of order 1, a single word can turn it around, however
long the text. The idea and the statements tested here are those of S. Bombari and M. Mondelli, <i>Towards Understanding the Word
Sensitivity of Attention Layers: A Study via Random Features</i> (ICML 2024, arXiv 2402.02969).</p>
<p>A verdict compares a measured number with a threshold that was written into the program before the run. It speaks of this run:
its sizes, its data, its trials.</p>
</div>
<div>
<p class="label">What it is not</p>
<ul>
<li><b>Not a change to another real word.</b> The worst move among all directions of the embedding space counts; hardly any
point it reaches is the embedding of a word.</li>
<li><b>Not the exact supremum.</b> A search finds a lower value of it, the best of several starts. An upper bound stands beside it
where one is known; the truth lies between the two.</li>
<li><b>Not the robustness of a classifier.</b> A representation can move far while no label changes, and a label can change
after a small move.</li>
<li><b>Not an attribution.</b> It does not say which word caused an answer, or how much.</li>
<li><b>Not always a trained model.</b> Random features and random attention are layers with random weights, for which theorems
hold. Only figures that name a model speak of a trained one.</li>
</ul>
</div>
</div>
</section>
)html";

}  // namespace wordsway
