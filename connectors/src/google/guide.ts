import { serviceText, videoWords, type Guide, type GuideStep, type PasteText } from '../kit/guide.ts'

type Problem = Guide['problems'][number]

/** What the console of Google shows of a client. */
export const googleApp: Guide['app'] = {
  id: {
    name: 'Client ID',
    mistakes: [
      {
        pattern: /^(?!.*\.apps\.googleusercontent\.com$).*$/,
        words: {
          en: 'A Client ID ends with .apps.googleusercontent.com. The number or the id of the project is something else.',
          de: 'Eine Client ID endet auf .apps.googleusercontent.com. Die Nummer oder die ID des Projekts ist etwas anderes.',
        },
      },
    ],
  },
  secret: {
    name: 'Client secret',
    mistakes: [
      {
        pattern: /^AIza/,
        words: {
          en: 'This looks like an API key. Copy the Client secret of the OAuth client.',
          de: 'Das sieht nach einem API-Schlüssel aus. Kopiere das Client secret des OAuth-Clients.',
        },
      },
    ],
  },
}

export const describeApp: GuideStep = {
  title: { en: 'Describe the app', de: 'App beschreiben' },
  text: [
    {
      en: '*Google Auth Platform → Get started*: name, support e-mail, *External*, contact. Then *Branding*: home page, privacy policy, terms, and your domain under *Authorized domains*. The name may not contain YouTube or Google.',
      de: '*Google Auth Platform → Get started*: Name, Support-E-Mail, *External*, Kontakt. Dann *Branding*: Startseite, Datenschutz, Bedingungen und deine Domain unter *Authorized domains*. Der Name darf nicht YouTube oder Google enthalten.',
    },
  ],
  values: ['name', 'website', 'privacyUrl', 'termsUrl'],
}

export const publishApp: GuideStep = {
  title: { en: 'Publish the app', de: 'App veröffentlichen' },
  text: [
    {
      en: '*Audience → Publish app*, also if only you use it: in *Testing* every connection ends after seven days. Without verification, Google shows a warning that people pass with *Advanced*.',
      de: '*Audience → Publish app*, auch wenn nur du sie nutzt: Unter *Testing* endet jede Verbindung nach sieben Tagen. Ohne Überprüfung zeigt Google einen Hinweis, an dem man mit *Advanced* vorbeikommt.',
    },
  ],
}

export const createClient: GuideStep = {
  title: { en: 'Create the client', de: 'Client anlegen' },
  text: [
    {
      en: '*Clients → Create client → Web application*, and the redirect URL under *Authorized redirect URIs*, letter by letter. Copy *Client ID* and *Client secret* at once: the secret is shown only now. A change takes some minutes.',
      de: '*Clients → Create client → Web application*, und die Redirect-URL unter *Authorized redirect URIs*, Zeichen für Zeichen. Kopiere *Client ID* und *Client secret* sofort: Das Secret wird nur jetzt gezeigt. Eine Änderung braucht einige Minuten.',
    },
  ],
  values: ['redirectUrl'],
}

/** The same for every sensitive permission; `purpose` says what this one is used for. */
export function verifyApp(purpose: PasteText): GuideStep {
  return {
    title: { en: 'Have the app verified', de: 'App überprüfen lassen' },
    text: [
      {
        en: '*Verification Center → Prepare for verification*. The permission is a sensitive one: Google asks why you need it and for a video on YouTube, unlisted, that shows the consent page and what the permission is used for. The domain must be yours in the Search Console.',
        de: '*Verification Center → Prepare for verification*. Die Berechtigung gilt als sensibel: Google fragt, wozu du sie brauchst, und will ein nicht gelistetes Video auf YouTube, das die Zustimmungsseite und die Verwendung zeigt. Die Domain muss in der Search Console dir gehören.',
      },
      videoWords,
    ],
    paste: [serviceText, purpose],
  }
}

export const endsAfterAWeek: Problem = {
  sign: { en: 'Connections end after a week', de: 'Verbindungen enden nach einer Woche' },
  cure: {
    en: 'The app is in *Testing*. Publish it under *Audience* and connect again.',
    de: 'Die App steht auf *Testing*. Veröffentliche sie unter *Audience* und verbinde neu.',
  },
}

export const redirectMismatch: Problem = {
  sign: { en: '`Error 400: redirect_uri_mismatch`', de: '`Error 400: redirect_uri_mismatch`' },
  cure: {
    en: 'Enter the redirect URL at the client, letter by letter, and wait some minutes.',
    de: 'Trage die Redirect-URL beim Client ein, Zeichen für Zeichen, und warte einige Minuten.',
  },
}
