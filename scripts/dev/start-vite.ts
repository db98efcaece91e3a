import { join } from 'node:path'
import { createServer, type ViteDevServer } from 'vite'
import { root } from '../../stack/services/folders.ts'

/** The paths that the server answers itself; all others are pages of the app. */
const serverPaths = ['/api', '/auth', '/integrations', '/invitations', '/files', '/docs', '/health', '/operator']

/** Serves the web app from its sources, with hot reload, and forwards everything else to the server. */
export async function startVite({ port, apiUrl }: { port: number; apiUrl: string }): Promise<ViteDevServer> {
  const vite = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'warn',
    server: {
      host: '127.0.0.1',
      port,
      strictPort: true,
      proxy: Object.fromEntries(serverPaths.map((path) => [path, { target: apiUrl }])),
    },
  })
  return vite.listen()
}
