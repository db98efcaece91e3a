import { join } from 'node:path'
import { root } from '../../stack/services/folders.ts'
import { rolldown, type Plugin } from 'rolldown'
import { installedPackages } from './install-packages.ts'

/** The programs of the package. The server starts the second one as a process of its own, and finds it beside itself. */
const entries = {
  main: 'server/src/main.ts',
  'decode-process': 'server/src/features/media/decode/decode-process.ts',
  simulator: 'simulator/src/main.ts',
}

const programFiles = join(root, 'server/src/infra/program/program-files.ts')
const bundledProgramFiles = join(root, 'server/src/infra/program/bundled-program-files.ts')

const replaceProgramFiles: Plugin = {
  name: 'replace-program-files',
  load: { filter: { id: programFiles }, handler: () => `export * from ${JSON.stringify(bundledProgramFiles)}` },
}

/** Compiles the server with all JavaScript that it imports into the folder. Packages with compiled code stay packages. */
export async function bundleServer(folder: string): Promise<void> {
  const bundle = await rolldown({
    input: entries,
    cwd: root,
    platform: 'node',
    // pg loads its native client only if an application asks for it.
    external: [...installedPackages, 'pg-native'],
    plugins: [replaceProgramFiles],
    onLog(level, log, log_) {
      log_(level === 'warn' ? 'error' : level, log)
    },
  })
  await bundle.write({
    dir: folder,
    format: 'es',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunk-[name]-[hash].js',
    // Error reports and some libraries use the names of classes and functions.
    keepNames: true,
  })
  await bundle.close()
}
