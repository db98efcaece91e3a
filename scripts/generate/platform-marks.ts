import { readFile } from 'node:fs/promises'
import { platforms } from '../../contract/src/platforms.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

/**
 * The logos of the platforms as data. The web app draws them itself: its content security policy does not let it insert markup, and a
 * picture from a file could not change its colour with the theme.
 */
export const platformMarks: FileGenerator = {
  name: 'platform marks',
  make: async () => {
    const entries = await Promise.all(
      platforms.map(async (platform) => `  ${platform}: ${JSON.stringify(await readMark(platform))},`),
    )
    const text = [
      `// ${generatedFrom('connectors/src/<platform>/icon.svg')}`,
      `import type { Platform } from '@carillon/contract'`,
      '',
      '/** A filled path in a square of 24 × 24, and the colours of the brand for a light and for a dark background. */',
      'export type Mark = Readonly<{ path: string; color: string; colorOnDark: string }>',
      '',
      '/** The logo of each platform. */',
      'export const marks: Record<Platform, Mark> = {',
      ...entries,
      '}',
      '',
    ].join('\n')
    return [{ path: 'connectors/src/marks.gen.ts', text }]
  },
}

/** The logo as a picture for the documentation. It takes the colour for the theme of the page that shows it. */
export async function drawMark(platform: string, name: string): Promise<string> {
  const { path, color, colorOnDark } = await readMark(platform)
  const style = `path{fill:${color}}@media (prefers-color-scheme:dark){path{fill:${colorOnDark}}}`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24" width="24" height="24"><title>${name}</title><style>${style}</style><path d="${path}"/></svg>\n`
}

async function readMark(platform: string): Promise<{ path: string; color: string; colorOnDark: string }> {
  const file = `connectors/src/${platform}/icon.svg`
  const svg = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8')
  const read = (what: RegExp, name: string): string => {
    const found = what.exec(svg)?.[1]
    if (found === undefined) throw new Error(`${file} has no ${name}`)
    return found
  }
  return {
    path: read(/<path d="([^"]+)"/, 'path'),
    color: read(/<svg[^>]* fill="(#[\dA-F]{6})"/, 'fill="#RRGGBB"'),
    colorOnDark: read(/<svg[^>]* data-on-dark="(#[\dA-F]{6})"/, 'data-on-dark="#RRGGBB"'),
  }
}
