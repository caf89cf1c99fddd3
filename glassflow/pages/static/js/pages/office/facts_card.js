// A card with facts of a record.
import { html } from "../../../vendor/ui.js";

/** `facts` are [name, words], of which those without words are left out; `children` are drawn below. */
export const FactsCard = ({
  id,
  title,
  facts,
  children,
}) => html`<section class="card facts-card" aria-labelledby=${id}>
  <h2 id=${id}>${title}</h2>
  <dl>${facts.filter(([, words]) => words).map(([name, words]) => html`<div key=${name}><dt>${name}</dt><dd>${words}</dd></div>`)}</dl>
  ${children}</section>`;
