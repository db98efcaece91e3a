import { escapeHtml } from './escape-html.ts'

/** HTML that is safe to put into a page as it is. Only `markup` makes it, and it escapes every text that is inserted. */
export class Markup {
  readonly #html: string

  constructor(html: string) {
    this.#html = html
  }

  toString(): string {
    return this.#html
  }
}

export type Insert = Markup | string | number | false | null | undefined | readonly Insert[]

/** A template for HTML: markup`<b>${text}</b>` escapes the text. Other markup is inserted as it is, and nothing for false and undefined. */
export function markup(parts: TemplateStringsArray, ...inserts: readonly Insert[]): Markup {
  let html = parts[0] ?? ''
  for (const [at, insert] of inserts.entries()) html += render(insert) + (parts[at + 1] ?? '')
  return new Markup(html)
}

function render(insert: Insert): string {
  if (insert instanceof Markup) return insert.toString()
  if (typeof insert === 'string' || typeof insert === 'number') return escapeHtml(String(insert))
  return insert === null || insert === undefined || insert === false ? '' : insert.map(render).join('')
}
