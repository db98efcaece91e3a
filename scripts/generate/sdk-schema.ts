import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { runCommand } from '../../stack/services/run-command.ts'
import { generatedFrom, type Job } from './job.ts'
import { document, openApiPath } from './open-api.ts'

/** The document's types. Their generator needs TypeScript's compiler API, which 7.0 lacks, so it runs in a package with 5.9 of its own. */
export const sdkSchema: Job = {
  name: 'SDK schema',
  async make() {
    const codegen = join(root, 'scripts/codegen')
    const types = await runCommand(process.execPath, ['print-types.ts'], { cwd: codegen, input: JSON.stringify(document) })
    return [{ path: 'sdk/src/schema.gen.ts', text: `// ${generatedFrom(openApiPath)}\n${types}` }]
  },
}
