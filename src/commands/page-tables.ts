import { markup, type Markup, type MarkupPart } from './page-markup.ts';

/** The first cell names the row. */
export type TableRow = readonly MarkupPart[];
export const drawHtmlTable = (headings: readonly string[], rows: readonly TableRow[]): Markup =>
  markup`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${headings.map((heading) => markup`<th scope="col">${heading}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            markup`<tr>
              ${row.map((cell, index) => (index === 0 ? markup`<th scope="row">${cell}</th>` : markup`<td>${cell}</td>`))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
/** What is shown when somebody asks for it. */
export const drawFolded = (words: MarkupPart, content: MarkupPart, name = ''): Markup =>
  markup`<details class="${name}"><summary>${words}</summary>${content}</details>`;
