import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem, problem } from '../../problem/problem.ts'
import { answerError } from '../answer-error.ts'
import type { HttpHooks } from '../http-hooks.ts'

/** A cell tells a router with it to which cell the workspace of this request has moved. */
export const movedHeader = 'carillon-moved-to'
/** The same for later requests that name the workspace: its id and the cell. Absent if this request did not name it. */
export const movedIdHeader = 'carillon-moved'

/** PostgreSQL: a row refers to one that does not exist. */
const foreignKeyViolation = '23503'

/** Answers errors. If a request failed because its workspace is in another cell, or on its way there, the answer says that instead. */
export function createErrorHandler({ findMoved }: Pick<HttpHooks, 'findMoved'>) {
  const answerMoved = async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const moved = await tryFind(request)
    if (moved === null) return answerError(error, request, reply)
    if (moved.cell === null)
      return answerError(problem('workspace_moving', { retryAfterSeconds: 1, cause: error }), request, reply)
    void reply.header(movedHeader, String(moved.cell))
    if (moved.id !== null) void reply.header(movedIdHeader, `${moved.id}=${moved.cell}`)
    return answerError(problem('workspace_moved', { cause: error }), request, reply)
  }
  const tryFind = async (request: FastifyRequest) => {
    try {
      return await findMoved(request)
    } catch {
      // The original error is then the better answer.
      return null
    }
  }
  return (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
    mayHaveMoved(error) ? answerMoved(error, request, reply) : answerError(error, request, reply)
}

/** Something is not found, or the workspace went away while the request ran. Only these cases cost another query. */
function mayHaveMoved(error: unknown): boolean {
  if (error instanceof Problem) return error.code === 'api_key_invalid' || error.status === 404
  return (error as { code?: unknown }).code === foreignKeyViolation
}
