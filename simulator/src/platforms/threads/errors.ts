import { Refusal } from '../../http/reply.ts'
import { graphError } from '../meta/graph-errors.ts'

export function missingObject(id: string): Refusal {
  const reasons = 'does not exist, cannot be loaded due to missing permissions, or does not support this operation.'
  const message = `Unsupported request. Object with ID '${id}' ${reasons}`
  return new Refusal(graphError(400, { message, code: 100, subcode: 33, type: 'THApiException' }))
}

/** The error for publishing a container that is already published, expired, or not ready. */
export function mediaNotFound(id: string): Refusal {
  const detail = `The media with id ${id} cannot be found.`
  const head = { message: 'The requested resource does not exist', code: 24, subcode: 4279009 }
  return new Refusal(graphError(400, { ...head, transient: false, title: 'Media Not Found', detail }))
}

/** The items of a carousel must be finished before the carousel is created (github.com/exileum/meta-mcp pull request 4). */
export function unfinishedChildren(): Refusal {
  const detail = 'Some of the carousel child items are invalid or expired.'
  return new Refusal(
    graphError(400, { message: 'Invalid parameter', code: 100, subcode: 4279004, title: 'Invalid carousel', detail }),
  )
}
