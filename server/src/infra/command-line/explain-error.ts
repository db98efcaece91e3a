import { StartError } from '../problem/problem.ts'

type SystemError = Error & { code?: string; address?: string; port?: number; path?: string; syscall?: string }

/** A plain sentence and a next step for errors that operators meet, or null for an error in the program itself. */
export function explainError(error: unknown): string | null {
  if (error instanceof StartError) return error.message
  if (!(error instanceof Error)) return null
  // A connection that was tried at several addresses fails with one error that contains the others.
  const [first] = error instanceof AggregateError ? error.errors : []
  const found = (first instanceof Error ? first : error) as SystemError
  return explainCode(found) ?? (found.cause instanceof Error ? explainError(found.cause) : null)
}

function explainCode({ code, address, port, path, message, syscall }: SystemError): string | null {
  const place = address === undefined ? '' : ` at ${address}:${port}`
  switch (code) {
    case 'ECONNREFUSED':
      return `Nothing answers${place}. Start the service there, or correct its address.`
    case 'ENOTFOUND':
      return `A host name is not known (${message}). Correct the address.`
    case 'EADDRINUSE':
      return `The address ${address}:${port} is already in use. Stop the program that uses it, or set another port.`
    case 'EACCES':
      return syscall === 'listen'
        ? `This user may not listen on port ${port}. Choose a port above 1023.`
        : `This user may not open ${path}. Change the owner of the file or folder, or choose another one.`
    case 'ENOENT':
      return explainMissing(path, syscall)
    case 'ENOTDIR':
      return path === undefined ? null : `${path} is not in a folder, but in a file. Correct the name.`
    case 'EROFS':
      return path === undefined ? null : `Nothing can be written to ${path}: its disk is read-only. ${otherFolder}`
    case 'ENOSPC':
      return 'The disk is full. Free some space, or choose a folder on another disk.'
    case '28P01':
    case '28000':
      return `PostgreSQL refuses the login: ${message}. Correct the user and password in DATABASE_URL.`
    case '3D000':
      return `PostgreSQL has no such database: ${message}. Create it, or correct DATABASE_URL.`
    case '53300':
      return `PostgreSQL has no connection left: ${message}. Raise max_connections, or lower CARILLON_DATABASE_TENANT_CONNECTIONS.`
    case '53100':
      return `PostgreSQL has no room on its disk: ${message}. Free some space there.`
    default:
      return null
  }
}

const otherFolder = 'Choose another folder; in a container, one of a volume, such as /data/backups.'

/** A folder that should have been made, or a file that should have been read. A program that is not installed has no path. */
function explainMissing(path: string | undefined, syscall: string | undefined): string | null {
  if (path === undefined || syscall?.startsWith('spawn')) return null
  // On a read-only disk, Node says of a folder and its parents only that they do not exist.
  if (syscall === 'mkdir') return `The folder ${path} cannot be made. ${otherFolder}`
  return `There is no file or folder ${path}. Correct the name.`
}
