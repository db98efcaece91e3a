import { Refusal } from '../../http/reply.ts'
import { graphError, type GraphError } from '../meta/graph-errors.ts'

const refuseGraph = (error: GraphError) => new Refusal(graphError(400, error))

export function missingObject(id: string): Refusal {
  const reasons = 'does not exist, cannot be loaded due to missing permissions, or does not support this operation'
  const message = `Unsupported request. Object with ID '${id}' ${reasons}.`
  return refuseGraph({ message, code: 100, subcode: 33, type: 'GraphMethodException' })
}

/** A token of a person where one of the page is needed, or one of another page. */
export const notThePage = () =>
  new Refusal(
    graphError(403, {
      message:
        '(#200) If posting to a page, requires both pages_read_engagement and pages_manage_posts as an admin with sufficient administrative permission',
      code: 200,
    }),
  )
export const duplicatePost = () =>
  refuseGraph({ message: 'Duplicate status message', code: 506, subcode: 1_455_006, title: 'Duplicate Status Update' })
export const badLink = () =>
  refuseGraph({ message: 'The post’s link could not be fetched.', code: 100, subcode: 1_609_005, title: 'Link not loaded' })
export const ownLink = () =>
  refuseGraph({ message: 'Links to Facebook cannot be posted.', code: 100, subcode: 1_609_008, title: 'Bad link' })
export const badPhoto = () =>
  refuseGraph({ message: 'The photo is too large or not supported.', code: 324, subcode: 1_366_046, title: 'Can’t read files' })
export const usedPhoto = () =>
  refuseGraph({ message: 'The photo was already posted.', code: 100, subcode: 1_366_051, title: 'Already posted' })
export const uploadProblem = () =>
  refuseGraph({ message: 'There was a problem uploading your video file.', code: 6000, title: 'Video upload problem' })
export const reelsUsed = () =>
  refuseGraph({ message: 'There have been too many calls to this Page account. Wait a bit and try again.', code: 80_001 })
