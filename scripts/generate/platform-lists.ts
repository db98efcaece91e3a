import { platforms } from '../../contract/src/platforms.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'

const source = 'contract/src/platforms.ts'

/** The lists of connectors, manifests and simulated platforms: a new platform is one word in the contract and its two folders. */
export const platformLists: FileGenerator = {
  name: 'platform lists',
  make: () => [
    {
      path: 'connectors/src/connectors.gen.ts',
      text: listFile({
        types: [`import type { Platform } from '@carillon/contract'`, `import type { Connector } from './kit/connector.ts'`],
        values: platforms.map((name) => `import { ${name} } from './${name}/${name}.ts'`),
        comment: 'The code for each platform.',
        list: `export const connectors: Record<Platform, Connector> = { ${platforms.join(', ')} }`,
      }),
    },
    {
      path: 'connectors/src/manifests.gen.ts',
      text: listFile({
        types: [`import type { Manifest, Platform } from '@carillon/contract'`],
        values: platforms.map((name) => `import { manifest as ${name} } from './${name}/manifest.ts'`),
        comment: 'The facts of every platform. Only data, because the browser imports this too.',
        list: `export const manifests: Record<Platform, Manifest> = { ${platforms.join(', ')} }`,
      }),
    },
    {
      path: 'connectors/src/guides.gen.ts',
      text: listFile({
        types: [`import type { Platform } from '@carillon/contract'`, `import type { Guide } from './kit/guide.ts'`],
        values: [],
        comment: 'How an operator sets a platform up. Each is loaded on its own, because they are long and few people read them.',
        list: `export const guides: Record<Platform, () => Promise<{ guide: Guide }>> = {\n${platforms.map((name) => `  ${name}: () => import('./${name}/guide.ts'),`).join('\n')}\n}`,
      }),
    },
    {
      path: 'simulator/src/platforms/platform-factories.gen.ts',
      text: listFile({
        types: [`import type { PlatformFactory } from '../platform.ts'`],
        values: platforms.map((name) => `import { ${name} } from './${name}/${name}.ts'`),
        comment: 'Every simulated platform.',
        list: `export const platformFactories: readonly PlatformFactory[] = [${platforms.join(', ')}]`,
      }),
    },
    {
      path: 'simulator/src/platforms/platform-traits.gen.ts',
      text: listFile({
        types: [`import type { PlatformTraits } from '../platform-traits.ts'`],
        values: platforms.map((name) => `import { traits as ${name} } from './${name}/traits.data.ts'`),
        comment: 'What tests from outside know about each platform.',
        list: `export const platformTraits = { ${platforms.join(', ')} } satisfies Record<string, PlatformTraits>`,
      }),
    },
  ],
}

type ListFile = { types: readonly string[]; values: readonly string[]; comment: string; list: string }

function listFile({ types, values, comment, list }: ListFile): string {
  return [`// ${generatedFrom(source)}`, ...types, ...values, '', `/** ${comment} */`, list, ''].join('\n')
}
