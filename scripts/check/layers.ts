import { featureOrder } from './feature-order.ts'
import { importedPaths, isTestSupport, type SourceFile, type Violation } from './imports.ts'

const entryPoint = 'server/src/main.ts'
const commandList = 'server/src/commands/commands.ts'

/**
 * The layers of the server: commands may import everything but cells, a feature the features below it, infra neither of them. What joins
 * several cells stands apart, because few installations need it: only the list of commands leads there.
 */
export function checkLayers(file: SourceFile): Violation[] {
  const { path } = file
  if (!path.startsWith('server/') || isTestSupport(path)) return []
  return importedPaths(file).flatMap((target) => {
    const problem = importProblem(path, target)
    return problem === undefined ? [] : [{ path, problem }]
  })
}

/** Every feature has its place in the order. */
export function checkFeatureList(files: readonly SourceFile[]): Violation[] {
  const features = new Set(files.map(({ path }) => featureOf(path)).filter((feature) => feature !== undefined))
  return [...features]
    .filter((feature) => !featureOrder.includes(feature))
    .map((feature) => ({ path: `server/src/features/${feature}`, problem: 'is not listed in scripts/check/feature-order.ts' }))
}

function importProblem(path: string, target: string): string | undefined {
  if (target === entryPoint) return `imports ${entryPoint}: it is the entry point, which starts the process when it is loaded`
  const [from, to] = [layerOf(path), layerOf(target)]
  if (to === 'cells' && from !== 'cells' && path !== commandList) return `imports ${target}: only ${commandList} may import cells`
  if (from === 'cells' && to === 'commands') return `cells may not import ${target}`
  if (from === 'infra' && (to === 'features' || to === 'commands')) return `infra may not import ${target}`
  if (from === 'features' && to === 'commands') return `a feature may not import ${target}`
  return featureProblem(featureOf(path), featureOf(target))
}

function featureProblem(from: string | undefined, to: string | undefined): string | undefined {
  if (from === undefined || to === undefined || from === to) return undefined
  const [above, below] = [featureOrder.indexOf(from), featureOrder.indexOf(to)]
  // A feature that is missing from the order is reported by checkFeatureList.
  if (above === -1 || below === -1 || above < below) return undefined
  return `feature ${from} may not import feature ${to}, which is above it in scripts/check/feature-order.ts`
}

function layerOf(path: string): string | undefined {
  return /^server\/src\/(cells|commands|features|infra)\//.exec(path)?.[1]
}

function featureOf(path: string): string | undefined {
  return /^server\/src\/features\/([^/]+)\//.exec(path)?.[1]
}
