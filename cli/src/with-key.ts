import { CommandError } from './cli-error.ts'
import { isAnswered, isCarillonError } from './describe-failure.ts'
import { exitCodes } from './exit-codes.ts'
import type { Terminal } from './terminal.ts'

/**
 * Makes a request that must not be carried out twice. Its key is printed before it is sent, because afterwards the network, or this program, may
 * be gone.
 */
export async function withKey<Result>(
  key: string,
  { note }: Terminal,
  request: () => Promise<Result>,
  more = '',
): Promise<Result> {
  note(`Idempotency key: ${key}`)
  try {
    return await request()
  } catch (error) {
    if (!isCarillonError(error) || isAnswered(error)) throw error
    throw new CommandError(
      `${error.message} (${error.code})\nIt is not known whether Carillon has carried this out. Repeat the same command with --idempotency-key ${key}` +
        `${more} within 24 hours: it is then carried out once.`,
      { code: error.code, exitCode: exitCodes.unreachable, cause: error },
    )
  }
}
