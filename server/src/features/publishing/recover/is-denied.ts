import type { Found } from '@carillon/connectors'

/** The platform itself says that the post or comment does not exist, and not only that it is missing from a list. */
export function isDenied(found: Found | { state: 'refused' | 'unanswered' }): boolean {
  return found.state === 'absent' && found.proof === 'reference'
}
