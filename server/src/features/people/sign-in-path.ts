import { withParameters } from '../../infra/http/local-path.ts'

/** The page on which a person signs in, and to which path they come back. */
export function signInPath(returnTo: string): string {
  return withParameters('/auth/sign-in', { returnTo })
}
