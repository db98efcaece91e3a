import { asRecord } from '../../stack/services/json-request.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { document, openApiPath } from './open-api.ts'

// The SDK has its own error class, and an import called `Error` would hide the built-in one.
const unexported = new Set(['Error', 'ErrorAnswer'])

/** Exports the named schemas of the document, so that users write `Post`. */
export const sdkTypes: FileGenerator = {
  name: 'SDK types',
  make() {
    const names = Object.keys(asRecord(asRecord(document['components'])['schemas'])).filter((name) => !unexported.has(name))
    const lines = [
      `// ${generatedFrom(openApiPath)}`,
      `import type { components } from './schema.gen.ts'`,
      '',
      `type Schemas = components['schemas']`,
      '',
      ...names.map((name) => `export type ${name} = Schemas['${name}']`),
    ]
    return [{ path: 'sdk/src/types.gen.ts', text: `${lines.join('\n')}\n` }]
  },
}
