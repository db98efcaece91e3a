import { readFile } from 'node:fs/promises'
import { platforms } from '../../contract/src/platforms.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

/**
 * The drawings of the platforms as data. The web app draws them itself: its content security policy does not let it insert markup, and a
 * picture from a file could not take the colour of the text.
 */
export const platformMarks: FileGenerator = {
  name: 'platform marks',
  make: async () => {
    const entries = await Promise.all(
      platforms.map(async (platform) => `  ${platform}: ${JSON.stringify(await readShapes(platform))},`),
    )
    const text = [
      `// ${generatedFrom('connectors/src/<platform>/icon.svg')}`,
      `import type { Platform } from '@carillon/contract'`,
      '',
      '/** An element of an SVG drawing of 24 × 24, which consists of strokes without a fill. */',
      `export type MarkShape = readonly [tag: 'path' | 'rect' | 'circle', attributes: Readonly<Record<string, string>>]`,
      '',
      '/** The mark of each platform. */',
      'export const marks: Record<Platform, readonly MarkShape[]> = {',
      ...entries,
      '}',
      '',
    ].join('\n')
    return [{ path: 'connectors/src/marks.gen.ts', text }]
  },
}

async function readShapes(platform: string): Promise<[string, Record<string, string>][]> {
  const svg = await readFile(new URL(`../../connectors/src/${platform}/icon.svg`, import.meta.url), 'utf8')
  const shapes = [...svg.matchAll(/<(path|rect|circle)\s([^>]*?)\/>/g)]
  if (shapes.length === 0) throw new Error(`connectors/src/${platform}/icon.svg has no path, rect or circle`)
  return shapes.map(([, tag = '', attributes = '']) => [
    tag,
    Object.fromEntries([...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value])),
  ])
}
