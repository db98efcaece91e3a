/** A text in the languages of the web app. `*…*` is a name that a console shows, and `` `…` `` something to be written letter by letter. */
export type Words = Readonly<{ en: string; de: string }>

/** What an installation computes itself, so that nobody types it. Permissions come from the connector's own sign-in. */
export type GuideValue =
  | 'redirectUrl'
  | 'scopes'
  | 'vettedScopes'
  | 'name'
  | 'website'
  | 'privacyUrl'
  | 'termsUrl'
  | 'deletionUrl'
  | 'deauthorizeUrl'
  | 'deletionRequestUrl'

/** `{name}` and `{site}` in a text to paste are those of the installation. Reviewers read English. */
export type PasteText = Readonly<{ label: Words; text: string }>

export type GuideStep = Readonly<{
  title: Words
  text: readonly Words[]
  values?: readonly GuideValue[]
  paste?: readonly PasteText[]
}>

/** One of the two things to copy from a console. `mistakes` are forms that something else has: they warn and refuse nothing. */
export type AppField = Readonly<{ name: string; mistakes: readonly Readonly<{ pattern: RegExp; words: Words }>[] }>

/** From nothing to the first post, and through the review: one source for the assistant of operators and for the documentation. */
export type Guide = Readonly<{
  /** When the pages of the platform were read. */
  checkedOn: string
  /** What works without any review, in one or two sentences. */
  summary: Words
  facts: Readonly<{
    /** Whose accounts can be connected before a review. */
    who: Words
    money: Words
    /** How long one waits for the platform. */
    wait: Words
    /** What ends a connection. */
    ends: Words
  }>
  /** Null where no app is needed. `vetted`: what it means to tick that the platform has approved the app for more. */
  app: Readonly<{ id: AppField; secret: AppField; vetted?: Readonly<{ label: Words; note: Words }> }> | null
  /** In the console of the platform, or for a person where no app is needed. */
  steps: readonly GuideStep[]
  /** For accounts of other people, or for more than the first post. Null where there is no review. */
  review: Readonly<{ intro: Words; steps: readonly GuideStep[] }> | null
  problems: readonly Readonly<{ sign: Words; cure: Words }>[]
  sources: readonly Readonly<{ url: string; on: string }>[]
}>

export const serviceText: PasteText = {
  label: { en: 'What the service does', de: 'Was der Dienst tut' },
  text:
    '{name} ({site}) is a publishing service run by <legal entity, country>. Businesses and creators sign up, connect accounts they own, write ' +
    'posts, preview them for each network, choose a time, and see the result. Every post is written and released by a signed-in person of the ' +
    'account’s owner. {name} keeps the access token encrypted, the posts its users made, and their figures; nothing is sold, shared or used for ' +
    'advertising. Disconnecting deletes the token at once; {site}/legal/data-deletion tells how to delete the rest.',
}

export const oneOrganisationText: PasteText = {
  label: { en: 'If only your own organisation uses it', de: 'Wenn nur eure eigene Organisation ihn nutzt' },
  text:
    '{name} is the publishing tool of <legal entity>. <n> employees use it to plan and publish the organisation’s own posts to accounts it owns. ' +
    'Nobody outside can sign in.',
}

/** Steps for a reviewer who has never seen the app. */
export function reviewerSteps(platformName: string): PasteText {
  return {
    label: { en: 'Steps for the reviewer', de: 'Schritte für die prüfende Person' },
    text:
      `1 Open {site}, sign in as <mail> / <password> (no second factor). 2 Integrations → ${platformName} → Connect; agree to all permissions. ` +
      '3 New post, choose the account, attach <sample.jpg>, Publish now. 4 Wait for Published, open the link. 5 Analytics. 6 Integrations → Disconnect.',
  }
}

export const videoWords: Words = {
  en: 'Film it in English, at 1080p, with the pointer visible and without cuts: address bar with your domain → not connected → consent page with readable names → back, account shown → the feature → the result inside the network → disconnect. Show no token.',
  de: 'Filme auf Englisch, in 1080p, mit sichtbarem Mauszeiger und ohne Schnitte: Adresszeile mit deiner Domain → nicht verbunden → Zustimmungsseite mit lesbaren Namen → zurück, Konto sichtbar → die Funktion → das Ergebnis im Netzwerk → trennen. Zeige kein Token.',
}
