import { asRecord } from '../../stack/services/json-request.ts'
import { generatedFrom, type Job } from './job.ts'
import { document, openApiPath } from './open-api.ts'

// The SDK has an error class of its own, and nobody wants to import something called `Error`.
const unexported = new Set(['Error', 'ErrorAnswer'])

/** Gives the named schemas of the document plain names, so that users write `Post`. */
export const sdkTypes: Job = {
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
