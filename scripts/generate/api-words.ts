import { readFile } from 'node:fs/promises'
import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
/** Sentences for people, and what is not about a platform. */
const isLeftOut =
  /\.test\.ts$|\.gen\.ts$|\.fixture\.ts$|german-words\.ts$|guide\.ts$|declarations\.ts$|setting-words\.ts$|\/conformance\//

/**
 * The words of the platforms' interfaces: paths, fields, headers, states and error codes that our connectors write or read. A transcript keeps
 * these and replaces every other value. They come from our own source, so none of them can be about a person.
 */
export const apiWords: FileGenerator = {
  name: 'words of the platforms',
  make: async () => {
    const files = globSync('connectors/src/*/**/*.ts', { cwd: root }).filter((path) => !isLeftOut.test(path))
    const texts = await Promise.all(files.map((path) => readFile(`${root}${path}`, 'utf8')))
    const words = [...new Set(texts.flatMap(wordsOf))].toSorted()
    const lines = [
      `// ${generatedFrom('connectors/src/<platform>/*.ts')}`,
      '',
      '/** The words of the platforms’ interfaces that our connectors write or read. */',
      'export const apiWords: ReadonlySet<string> = new Set([',
      // One on each line, so that two changes of connectors rarely meet.
      ...words.map((word) => `  '${word}',`),
      '])',
      '',
    ]
    return [{ path: 'connectors/src/api-words.gen.ts', text: lines.join('\n') }]
  },
}

/** Words in strings without spaces, and the names of fields. Sentences are for people. */
function wordsOf(source: string): string[] {
  const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replaceAll(/^(?:import|export) [\s\S]*? from '.*$/gm, '')
  const strings = [...code.matchAll(/'([^'\\\n]*)'|`([^`\\]*)`/g)]
    .map(([, plain, template]) => plain ?? (template ?? '').replaceAll(/\$\{[^}]*\}/g, '/'))
    .filter((text) => !/\s/.test(text))
    .flatMap((text) => [text, ...text.split(/[^\w.$-]+/)])
  const fields = [...code.matchAll(/\b([A-Za-z_$][\w$]*)\??:\s/g)].map(([, name = '']) => name)
  return [...strings, ...fields].filter((word) => /^[A-Za-z_$][\w.$#-]{1,59}$/.test(word))
}
