import { generatedFrom, type FileGenerator } from './file-generator.ts'

/** The names alone, so that a page has them at once: the manifests are too much for its first load. */
export const platformNames: FileGenerator = {
  name: 'platform names',
  make: async () => {
    const { manifests } = await import('../../connectors/src/manifests.gen.ts')
    const entries = Object.values(manifests).map(({ platform, name }) => `  ${platform}: ${JSON.stringify(name)},`)
    const text = [
      `// ${generatedFrom('connectors/src/<platform>/manifest.ts')}`,
      `import type { Platform } from '@carillon/contract'`,
      '',
      '/** Each platform as it writes its name. */',
      'export const platformNames: Record<Platform, string> = {',
      ...entries,
      '}',
      '',
    ].join('\n')
    return [{ path: 'connectors/src/names.gen.ts', text }]
  },
}
