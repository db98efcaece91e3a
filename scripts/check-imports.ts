import { exitWithHelp } from '../stack/src/exit-with-help.ts'
import { checkCycles } from './check/cycles.ts'
import { isCode, isGenerated, type SourceFile, type Violation } from './check/imports.ts'
import { checkLayers, checkFeatureList } from './check/layers.ts'
import { checkManifests } from './check/manifests.ts'
import { checkPackages } from './check/packages.ts'
import { checkEnvironment, checkServer } from './check/server.ts'
import { readSourceFiles } from './check/source-files.ts'
import { checkWeb } from './check/web.ts'

const rules = [checkPackages, checkEnvironment, checkServer, checkLayers, checkManifests, checkWeb]

/** Which file may import which, between our packages, inside the server and inside the web app. */
export function checkImports(files: readonly SourceFile[]): Violation[] {
  const code = files.filter(({ path }) => isCode(path) && !isGenerated(path))
  return [...code.flatMap((file) => rules.flatMap((rule) => rule(file))), ...checkFeatureList(files), ...checkCycles(files)]
}

if (import.meta.main) {
  exitWithHelp(
    'node scripts/check-imports.ts   names every import between packages, or inside of the server or the web app, that is not allowed',
  )
  const violations = checkImports(await readSourceFiles())
  for (const { path, problem } of violations) console.error(`${path}: ${problem}`)
  process.exitCode = violations.length > 0 ? 1 : 0
}
