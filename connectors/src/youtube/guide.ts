import { createClient, describeApp, endsAfterAWeek, googleApp, publishApp, redirectMismatch, verifyApp } from '../google/guide.ts'
import { reviewerSteps, type Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-18',
  summary: {
    en: 'Works today for your own channels, and every video stays private. Public videos need the audit of your Google project by YouTube; until then each one gets a warning that only its owner sees it.',
    de: 'Geht heute für eure eigenen Kanäle, und jedes Video bleibt privat. Öffentliche Videos brauchen die Prüfung eures Google-Projekts durch YouTube; bis dahin bekommt jedes den Hinweis, dass nur seine Inhaberin oder sein Inhaber es sieht.',
  },
  facts: {
    who: {
      en: 'Up to 100 people in all, who see a warning that Google has not verified the app',
      de: 'Bis zu 100 Personen insgesamt, die den Hinweis sehen, dass Google die App nicht überprüft hat',
    },
    money: {
      en: 'None. The quota of a project: 100 uploads a day, and 10,000 units for everything else. A comment, a playlist entry or a deletion costs 50 units, a question 1',
      de: 'Keine. Das Kontingent eines Projekts: 100 Uploads am Tag und 10.000 Einheiten für alles andere. Ein Kommentar, ein Playlist-Eintrag oder eine Löschung kostet 50 Einheiten, eine Frage 1',
    },
    wait: {
      en: 'Verification of the app: weeks. Audit: YouTube names no time',
      de: 'Überprüfung der App: Wochen. Prüfung durch YouTube: ohne Angabe einer Zeit',
    },
    ends: {
      en: 'When the person takes the permission back, after six months without use, with the 101st permission for the same account, and after seven days while the app is in testing.',
      de: 'Wenn die Person die Berechtigung zurücknimmt, nach sechs Monaten ohne Nutzung, mit der 101. Berechtigung für dasselbe Konto, und nach sieben Tagen, solange die App im Test ist.',
    },
  },
  app: googleApp,
  steps: [
    {
      title: { en: 'Create the project', de: 'Projekt anlegen' },
      text: [
        {
          en: 'At console.cloud.google.com: *New project*. Then *APIs & Services → Library → YouTube Data API v3 → Enable*. Use one project for this installation only: audit and quota belong to the project.',
          de: 'Auf console.cloud.google.com: *New project*. Dann *APIs & Services → Library → YouTube Data API v3 → Enable*. Nimm ein eigenes Projekt für diese Installation: Prüfung und Kontingent gehören zum Projekt.',
        },
      ],
    },
    describeApp,
    {
      title: { en: 'Add the permission', de: 'Berechtigung hinzufügen' },
      text: [
        {
          en: '*Data Access → Add or remove scopes*: add this one. It covers uploads, comments, playlists and figures.',
          de: '*Data Access → Add or remove scopes*: füge diese hinzu. Sie deckt Uploads, Kommentare, Playlists und Zahlen ab.',
        },
      ],
      values: ['scopes'],
    },
    publishApp,
    createClient,
  ],
  review: {
    intro: {
      en: 'Two approvals that do not replace each other: Google verifies the app, which removes the warning and the limit of 100 people; YouTube audits the project, which makes public videos possible and can raise the quota.',
      de: 'Zwei Freigaben, die einander nicht ersetzen: Google überprüft die App, damit fallen der Hinweis und die Grenze von 100 Personen weg; YouTube prüft das Projekt, damit gehen öffentliche Videos, und das Kontingent kann steigen.',
    },
    steps: [
      verifyApp({
        label: { en: 'youtube.force-ssl', de: 'youtube.force-ssl' },
        text: 'When the owner of a channel presses Publish or the time they chose comes, {name} uploads the video they approved, with the title, description, audience and privacy they chose, adds it to the playlist they named and posts their first comment. It reads the state and the figures of these videos to show them to the owner, and deletes a video when the owner asks for it. youtube.upload is not enough: it allows neither comments nor reading the state of a video.',
      }),
      {
        title: { en: 'Apply for the audit', de: 'Prüfung beantragen' },
        text: [
          {
            en: 'At support.google.com/youtube/contact/yt_api_form: *I am completing a Compliance Audit*. Every installation needs its own, because the lock belongs to the project. Terms and privacy pages must link to the YouTube Terms of Service and the Google Privacy Policy. Videos that were uploaded before stay private.',
            de: 'Auf support.google.com/youtube/contact/yt_api_form: *I am completing a Compliance Audit*. Jede Installation braucht eine eigene, denn die Sperre gehört zum Projekt. Bedingungen und Datenschutz müssen auf die Nutzungsbedingungen von YouTube und die Datenschutzerklärung von Google verweisen. Vorher hochgeladene Videos bleiben privat.',
          },
        ],
        values: ['privacyUrl', 'termsUrl'],
        paste: [reviewerSteps('YouTube')],
      },
    ],
  },
  problems: [
    {
      sign: { en: 'Videos are private although everyone was chosen', de: 'Videos sind privat, obwohl alle gewählt war' },
      cure: {
        en: 'The project has not passed the audit. The owner cannot make such a video public; upload it again after the audit.',
        de: 'Das Projekt hat die Prüfung nicht bestanden. Ein solches Video lässt sich nicht öffentlich schalten; lade es nach der Prüfung neu hoch.',
      },
    },
    {
      sign: { en: '`quotaExceeded`', de: '`quotaExceeded`' },
      cure: {
        en: 'The quota of the project is used up. Posts go on after midnight in California; the audit form asks for more.',
        de: 'Das Kontingent des Projekts ist aufgebraucht. Nach Mitternacht in Kalifornien geht es weiter; mehr gibt es über das Formular der Prüfung.',
      },
    },
    {
      sign: { en: '`accessNotConfigured`', de: '`accessNotConfigured`' },
      cure: {
        en: 'Enable the *YouTube Data API v3* in the project of the client.',
        de: 'Schalte die *YouTube Data API v3* im Projekt des Clients ein.',
      },
    },
    endsAfterAWeek,
    redirectMismatch,
    {
      sign: { en: '`youtubeSignupRequired`', de: '`youtubeSignupRequired`' },
      cure: {
        en: 'The Google account has no channel. Create one at youtube.com and connect again.',
        de: 'Das Google-Konto hat keinen Kanal. Lege auf youtube.com einen an und verbinde neu.',
      },
    },
  ],
  sources: [
    { url: 'https://support.google.com/cloud/answer/15544987', on: '2026-11-18' },
    { url: 'https://support.google.com/cloud/answer/15549945', on: '2026-11-18' },
    { url: 'https://developers.google.com/youtube/v3/guides/quota_and_compliance_audits', on: '2026-11-18' },
    { url: 'https://support.google.com/youtube/contact/yt_api_form', on: '2026-11-18' },
    { url: 'https://developers.google.com/youtube/v3/docs/videos/insert', on: '2026-11-14' },
  ],
}
