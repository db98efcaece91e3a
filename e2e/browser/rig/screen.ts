import type { Page } from 'playwright-core'
import type { TestPerson } from './people.ts'

/** A screen of which `pnpm e2e shots` makes pictures. Each folder of e2e/browser lists its own in `screens.ts`. */
export type Screen = {
  name: string
  /** Opens it and waits until it is complete. `person` is signed in and has simulated accounts, unless `isSignedOut`. */
  open(page: Page, person: TestPerson): Promise<void>
  isSignedOut?: true
  /** No person can sign in afterwards, so it comes last. */
  emptiesInstall?: true
  /** The person is an operator of the installation. */
  isOperator?: true
}
