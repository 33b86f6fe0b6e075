import { markup, Markup } from './page-markup.ts';

/** One column of a chart: its parts from the bottom up, and what is said of it. */
export interface PlotColumn {
  readonly label: string;
  readonly parts: readonly number[];
  readonly title: string;
}
export interface PlotOptions {
  readonly title: string;
  /** All of it in a sentence, for those who do not see it. */
  readonly summary: string;
  readonly columns: readonly PlotColumn[];
  /** Colors of the parts: the names of custom properties. */
  readonly colors: readonly string[];
  readonly names?: readonly string[];
  /** What the full height stands for. */
  readonly most: number;
  readonly mostLabel: string;
}

/** Columns over time. Shapes are drawn in a box that stretches, words stand beside it in the page's own letters. */
export function drawColumns({ title, summary, columns, colors, names = [], most, mostLabel }: PlotOptions): Markup {
  const bars = columns.map(({ parts, title: words }, index) => {
    let top = 100;
    const drawn = parts.map((part, level) => {
      const height = most === 0 ? 0 : (part / most) * 100;
      top -= height;
      return height === 0
        ? undefined
        : markup`<rect x="${round(index + 0.1)}" y="${round(top)}" width="0.8" height="${round(height)}" fill="var(--${colors[level]})" />`;
    });
    return markup`<g><title>${words}</title><rect class="hit" x="${index}" y="0" width="1" height="100" />${drawn}</g>`;
  });
  const legend = names.map((name, index) => markup`<li><span class="dot" style="background: var(--${colors[index]})"></span>${name}</li>`);
  return markup`<figure>
<figcaption>${title}</figcaption>
${legend.length === 0 ? undefined : markup`<ul class="legend">${legend}</ul>`}
<p class="axis" aria-hidden="true">${mostLabel}</p>
<svg class="columns" role="img" aria-label="${summary}" viewBox="0 0 ${Math.max(1, columns.length)} 100" preserveAspectRatio="none">${bars}</svg>
<p class="axis" aria-hidden="true"><span>${columns[0]?.label}</span><span>${columns.length > 1 ? columns.at(-1)?.label : ''}</span></p>
</figure>`;
}

/** How much of a row's share is filled; the figure stands beside it. */
export const drawShare = (share: number, color: string): Markup =>
  markup`<svg class="share" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none">
    <rect class="rail" width="100" height="10" />
    <rect width="${round(Math.min(1, share) * 100)}" height="10" fill="var(--${color})" />
  </svg>`;

export interface HeatMapOptions {
  readonly title: string;
  readonly summary: string;
  readonly rows: readonly { readonly name: string; readonly values: readonly number[] }[];
  describe(name: string, column: number, value: number): string;
  readonly marks: readonly string[];
}

/** A field for each value of a table, the darker the more. */
export function drawHeatMap({ title, summary, rows, describe, marks }: HeatMapOptions): Markup {
  const most = Math.max(1, ...rows.flatMap(({ values }) => values));
  const fields = rows.flatMap(({ name, values }, y) =>
    values.map((value, x) => {
      const box = new Markup(`x="${round(x + 0.04)}" y="${round(y + 0.06)}" width="0.92" height="0.88"`);
      const strength = value === 0 ? 0 : round(0.15 + (0.85 * value) / most);
      return markup`<g><title>${describe(name, x, value)}</title><rect class="rail" ${box}/><rect ${box} fill="var(--one)" fill-opacity="${strength}"/></g>`;
    }),
  );
  return markup`<figure>
<figcaption>${title}</figcaption>
<div class="heat-box"><ol aria-hidden="true">${rows.map(({ name }) => markup`<li>${name}</li>`)}</ol>
<svg role="img" aria-label="${summary}" viewBox="0 0 ${rows[0]?.values.length ?? 1} ${rows.length}" preserveAspectRatio="none">${fields}</svg></div>
<p class="axis heat-axis" aria-hidden="true">${marks.map((mark) => markup`<span>${mark}</span>`)}</p>
</figure>`;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

export const PLOT_STYLE = `
figure { margin: 0; }
figcaption { font-weight: 600; margin-bottom: .35rem; }
svg { display: block; width: 100%; }
svg.columns { height: 9rem; border-bottom: 1px solid var(--line); border-top: 1px dashed var(--line); }
svg.share { height: .7rem; min-width: 4rem; border-radius: 2px; }
.hit { fill: transparent; }
g:hover > .hit { fill: var(--mark); }
.rail { fill: var(--mark); }
.axis { display: flex; justify-content: space-between; margin: .15rem 0; font-size: .8rem; color: var(--faint); }
.legend { display: flex; flex-wrap: wrap; gap: .2rem 1rem; list-style: none; margin: 0 0 .3rem; padding: 0; font-size: .85rem; color: var(--faint); }
.dot { display: inline-block; width: .7rem; height: .7rem; border-radius: 2px; margin-right: .4rem; }
.heat-box { display: grid; grid-template-columns: 2.6rem 1fr; }
.heat-box ol { list-style: none; margin: 0; padding: 0; display: grid; font-size: .75rem; color: var(--faint); align-items: center; }
.heat-box svg { height: 11rem; }
.heat-axis { margin-left: 2.6rem; }
.heat-axis span { flex: 1; }
`;
