import { Refusal } from '../../http/reply.ts'
import { graphError, type GraphError } from '../meta/graph-errors.ts'

const refuseGraph = (error: GraphError) => new Refusal(graphError(400, error))

export function missingObject(id: string): Refusal {
  const reasons = 'does not exist, cannot be loaded due to missing permissions, or does not support this operation.'
  const message = `Unsupported get request. Object with ID '${id}' ${reasons}`
  return refuseGraph({ message, code: 100, subcode: 33, type: 'IGApiException' })
}

export const captionTooLong = () =>
  refuseGraph({ message: 'The caption was too long.', code: 36004, subcode: 2207010, title: 'Caption too long' })
export const badMediaType = () =>
  refuseGraph({ message: 'The media type is unknown.', code: 100, subcode: 2207023, title: 'Unknown media type' })
export const badItemCount = () =>
  refuseGraph({ message: 'A carousel needs 2 to 10 items.', code: 100, subcode: 2207028, title: 'Carousel validation failed' })
export const notFinished = () =>
  refuseGraph({ message: 'Media ID is not available', code: 9007, subcode: 2207027, title: 'Media not ready' })
export const expired = () =>
  refuseGraph({ message: 'The media has expired.', code: -2, subcode: 2207020, title: 'Media expired' })
export const notFound = () =>
  refuseGraph({ message: 'The media could not be found.', code: 24, subcode: 2207006, title: 'Media not found' })
export const quotaReached = () =>
  refuseGraph({ message: 'Application request limit reached', code: 9, subcode: 2207042, title: 'Limit reached' })
export const badCollaborator = () =>
  refuseGraph({ message: 'Invalid user id', code: 110, subcode: 2207018, title: 'Cannot load user' })
