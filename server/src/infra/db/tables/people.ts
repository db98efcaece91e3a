import type { Generated } from 'kysely'
import type { Instant } from './columns.ts'

export type PersonTable = {
  id: string
  email: string
  name: string
  email_verified: Generated<boolean>
  two_factor_enabled: Generated<boolean>
  image: string | null
  locale: string | null
  timezone: string | null
  week_start: 'monday' | 'saturday' | 'sunday' | null
  hour_cycle: 'h12' | 'h23' | null
  theme: 'light' | 'dark' | null
  created_at: Instant
  updated_at: Generated<Instant>
}

export type SessionTable = {
  id: string
  person_id: string
  token: string
  expires_at: Instant
  created_at: Instant
  updated_at: Instant
}

/** The columns that our own code uses in the tables of better-auth. */
export type SignInTable = { person_id: string }

export type AccountTable = SignInTable & {
  id: string
  provider_id: string
  account_id: string
  password: string | null
  created_at: Instant
  updated_at: Instant
}

export type VerificationTable = {
  id: string
  identifier: string
  value: string
  expires_at: Instant
  created_at: Instant
  updated_at: Instant
}
