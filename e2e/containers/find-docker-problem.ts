import { runCommand } from '@carillon/stack/services'

/** Why the containers cannot be tried on this machine, or null. Nothing is installed or started for it. */
export async function findDockerProblem(): Promise<string | null> {
  const say = (args: readonly string[]) => runCommand('docker', args).catch((error: Error) => error)
  const server = await say(['version', '--format', '{{.Server.Version}}'])
  if (server instanceof Error) return `no Docker daemon answers (${firstLine(server)}). Start one, or set DOCKER_HOST.`
  const compose = await say(['compose', 'version', '--short'])
  if (compose instanceof Error)
    return `Docker has no Compose (${firstLine(compose)}). Install its plug-in of version 2.24 or newer.`
  return null
}

function firstLine({ message }: Error): string {
  return message.split('\n').findLast((line) => line.trim() !== '') ?? ''
}
