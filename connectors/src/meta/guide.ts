import { reviewerSteps, serviceText, videoWords, type AppField, type Guide, type GuideStep, type Words } from '../kit/guide.ts'

/** What Meta's console asks of every product, in the words of its pages. */

const digitsOnly: AppField['mistakes'] = [
  {
    pattern: /\D/,
    words: { en: 'The id consists of digits only.', de: 'Die ID besteht nur aus Ziffern.' },
  },
]

const hexSecret: AppField['mistakes'] = [
  {
    pattern: /^(?![0-9a-f]{32}$)/,
    words: {
      en: 'The secret has 32 characters, 0 to 9 and a to f. The box in the console is small: copy all of it.',
      de: 'Das Secret hat 32 Zeichen, 0 bis 9 und a bis f. Das Feld in der Konsole ist klein: kopiere es ganz.',
    },
  },
]

/** Each product has an id and a secret of its own, called after it. Those of Meta's app itself have no such name. */
export function metaApp(productName: string | null): Guide['app'] {
  const [id, secret] = productName === null ? ['App ID', 'App secret'] : [`${productName} app ID`, `${productName} app secret`]
  return { id: { name: id, mistakes: digitsOnly }, secret: { name: secret, mistakes: hexSecret } }
}

export function metaFacts(who: Words): Guide['facts'] {
  return {
    who,
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None for testers; weeks for the review', de: 'Keine für Tester; Wochen für die Prüfung' },
    ends: {
      en: 'Access lasts 60 days and is renewed by itself. The person removes the app, or loses the tester role.',
      de: 'Der Zugang gilt 60 Tage und wird von selbst erneuert. Die Person entfernt die App oder verliert die Rolle als Tester.',
    },
  }
}

export function createAppStep(useCase: string): GuideStep {
  return {
    title: { en: 'Create the app', de: 'App anlegen' },
    text: [
      {
        en: `At developers.facebook.com/apps/creation: name and contact mail → *Use cases* → *${useCase}* → *Business* (a portfolio, or none yet) → *Go to dashboard*. If no portfolio can be chosen, switch two-factor sign-in on in the business settings first.`,
        de: `Auf developers.facebook.com/apps/creation: Name und Kontaktadresse → *Use cases* → *${useCase}* → *Business* (ein Portfolio, oder noch keines) → *Go to dashboard*. Lässt sich kein Portfolio wählen, schalte zuerst in den Business-Einstellungen die Anmeldung mit zwei Faktoren ein.`,
      },
    ],
    values: ['name'],
  }
}

export function addressesStep(text: Words): GuideStep {
  return {
    title: { en: 'Enter the addresses', de: 'Adressen eintragen' },
    text: [text],
    values: ['redirectUrl', 'deauthorizeUrl', 'deletionRequestUrl'],
  }
}

export function inviteStep(text: Words): GuideStep {
  return { title: { en: 'Invite the accounts', de: 'Konten einladen' }, text: [text] }
}

/** Meta’s own id stands above that of the product, and is the one that people copy. */
export function copyStep(platformName: string, page: Words): GuideStep {
  return {
    title: { en: 'Copy id and secret', de: 'ID und Secret kopieren' },
    text: [
      {
        en: `Copy *${platformName} app ID* and *${platformName} app secret* from ${page.en}. The *App ID* at the top of the page belongs to Meta’s app and is refused.`,
        de: `Kopiere *${platformName} app ID* und *${platformName} app secret* aus ${page.de}. Die *App ID* oben auf der Seite gehört zur Meta-App und wird abgelehnt.`,
      },
    ],
  }
}

export function wrongId(platformName: string, sign: Words): Guide['problems'][number] {
  return {
    sign,
    cure: {
      en: `Enter the ${platformName} app ID, not the App ID of Meta.`,
      de: `Trage die ${platformName} app ID ein, nicht die App ID von Meta.`,
    },
  }
}

export const publishStep: GuideStep = {
  title: { en: 'Publish the app', de: 'App veröffentlichen' },
  text: [
    {
      en: 'Until you do, posts are visible only to people with a role on the app. Choose *Publish* on the left. It asks for an icon (512 to 1024 pixels), a category, these addresses and, in the EU, a contact for data protection. This is not the review: for your own accounts none is needed.',
      de: 'Solange du das nicht tust, sehen nur Personen mit einer Rolle in der App die Beiträge. Wähle links *Publish*. Gefragt wird nach einem Symbol (512 bis 1024 Pixel), einer Kategorie, diesen Adressen und in der EU nach einem Kontakt für den Datenschutz. Das ist nicht die Prüfung: für eigene Konten ist keine nötig.',
    },
  ],
  values: ['privacyUrl', 'termsUrl', 'deletionUrl'],
}

export const reviewIntro: Words = {
  en: 'Accounts of people without a role on the app need three approvals, each of its own: business verification, app review, and access verification as a tech provider. Without them a stranger’s sign-in succeeds, and every call after it fails.',
  de: 'Konten von Personen ohne Rolle in der App brauchen drei Freigaben, jede für sich: Unternehmensprüfung, App-Prüfung und die Prüfung als Tech Provider. Ohne sie gelingt einer fremden Person die Anmeldung, und jeder Aufruf danach scheitert.',
}

export function reviewSteps(platformName: string): readonly GuideStep[] {
  return [
    {
      title: { en: 'Verify the business', de: 'Unternehmen bestätigen' },
      text: [
        {
          en: '*Business settings → Security Center*: legal name, address, phone, website and a document (register extract, tax, utility bill). Days, up to 14 business days.',
          de: '*Business settings → Security Center*: Name, Anschrift, Telefon, Website und ein Dokument (Registerauszug, Steuer, Nebenkosten). Tage, bis zu 14 Werktage.',
        },
      ],
    },
    {
      title: { en: 'Make one successful call for each permission', de: 'Je Berechtigung ein gelungener Aufruf' },
      text: [
        {
          en: 'Connect your own account, publish a post with a first comment, and open Analytics. The button for the review stays grey without a call of the last 30 days for each permission.',
          de: 'Verbinde dein eigenes Konto, veröffentliche einen Beitrag mit erstem Kommentar und öffne die Analyse. Ohne einen Aufruf je Berechtigung in den letzten 30 Tagen bleibt der Knopf für die Prüfung grau.',
        },
      ],
      values: ['scopes'],
    },
    {
      title: { en: 'Submit the review', de: 'Prüfung einreichen' },
      text: [
        {
          en: 'Each permission gets a text and a video of its own; the same text for several is refused. Reviewers who cannot sign in refuse everything. Days to several weeks.',
          de: 'Jede Berechtigung bekommt einen eigenen Text und ein eigenes Video; derselbe Text für mehrere wird abgelehnt. Wer sich zur Prüfung nicht anmelden kann, lehnt alles ab. Tage bis mehrere Wochen.',
        },
        videoWords,
      ],
      paste: [
        serviceText,
        reviewerSteps(platformName),
        {
          label: { en: 'Reading the account', de: 'Konto lesen' },
          text: 'After connecting, {name} shows the name and picture of the account, so that the person sees which account is meant. Without it posts could go to the wrong account.',
        },
        {
          label: { en: 'Publishing', de: 'Veröffentlichen' },
          text: 'When the person presses Publish or the chosen time comes, {name} sends the text and media they approved, once, and stores the id and link that come back, to show the post’s state on the page Posts.',
        },
        {
          label: { en: 'Comments', de: 'Kommentare' },
          text: 'Only the first comment that the author wrote together with the post is sent. There are no automatic answers, and comments of others are not stored.',
        },
        {
          label: { en: 'Figures', de: 'Zahlen' },
          text: 'The figures of the person’s own posts are shown as totals on the page Analytics.',
        },
      ],
    },
    {
      title: { en: 'Verify access as a tech provider', de: 'Als Tech Provider bestätigen lassen' },
      text: [
        {
          en: 'After the business is verified, and independent of the review. Later, confirm the *Data Use Checkup* every year, or the app is switched off.',
          de: 'Nach der Unternehmensprüfung und unabhängig von der App-Prüfung. Bestätige später jedes Jahr den *Data Use Checkup*, sonst wird die App abgeschaltet.',
        },
      ],
    },
  ]
}

export const hiddenPosts = {
  sign: { en: 'Only you see the posts', de: 'Nur du siehst die Beiträge' },
  cure: {
    en: 'The app is not published. Publish it; earlier posts become visible too.',
    de: 'Die App ist nicht veröffentlicht. Veröffentliche sie; auch frühere Beiträge werden dann sichtbar.',
  },
} as const

export const metaSources = [
  { url: 'https://developers.facebook.com/documentation/development/build-and-test/app-modes', on: '2025-05-05' },
  { url: 'https://developers.facebook.com/documentation/development/release', on: '2025-05-05' },
] as const
