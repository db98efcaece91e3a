import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import { generatedFrom, type FileGenerator } from './file-generator.ts'
import { document, openApiPath } from './open-api.ts'

/** The types of the document. openapi-typescript needs the compiler API, which TypeScript 7 lacks, so it runs in a package with 5.9. */
export const sdkSchema: FileGenerator = {
  name: 'SDK schema',
  async make() {
    const codegen = join(root, 'scripts/codegen')
    const types = await runCommand(process.execPath, ['print-types.ts'], { cwd: codegen, input: JSON.stringify(document) })
    return [{ path: 'sdk/src/schema.gen.ts', text: `// ${generatedFrom(openApiPath)}\n${types}` }]
  },
}
