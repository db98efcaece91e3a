/** What people see of HTML that is written without mistakes. */
export function plainText(html: string): string {
  return decode(
    html
      .replaceAll(/<!--[\s\S]*?-->/g, '')
      .replaceAll(/<br\s*\/?>/g, '\n')
      .replaceAll(/<[^>]*>/g, ''),
  )
}

/** An attribute of a tag. */
export function attributeOf(tag: string, name: string): string | undefined {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1]
  return value === undefined ? undefined : decode(value)
}

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }

function decode(html: string): string {
  return html.replaceAll(/&(?:#(\d+)|(lt|gt|quot|amp));/g, (_, number: string | undefined, name: string) =>
    number === undefined ? (characters[name] ?? '') : String.fromCodePoint(Number(number)),
  )
}
