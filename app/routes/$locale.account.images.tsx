import { type ActionFunctionArgs, type LoaderFunctionArgs, redirect } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useTranslations } from "use-intl";
import { z } from "zod";
import { AccountPage } from "~/components/account/account-page";
import { DoneNotice } from "~/components/done-notice";
import { Button } from "~/components/ui/button";
import { Card } from "~/components/ui/card";
import { translatorFor } from "~/i18n/messages.server";
import { addThumbnailJobs } from "~/models/files/thumbnails-due.server";
import { getImageAccess, setImageAccess } from "~/models/images/image-access.server";
import { countGeneratedFiles, moveFiles, wantAccess } from "~/models/images/image-moves.server";
import { requirePageUser } from "~/server/accounts/session.server";
import { limitImageAccess, requirePageStore } from "~/server/files/storage-guard.server";
import { requirePageImageGeneration } from "~/server/images/generation.server";
import { requireLocale } from "~/server/request/locale-param.server";
import { readForm } from "~/server/request/read-body.server";

/** Images that a request moves itself; maintenance moves the rest. */
const MOVED_AT_ONCE = 20;

const formSchema = z.object({
  intent: z.enum(["new", "all"]),
  access: z.enum(["private", "public"]),
});

export async function loader({ request, params }: LoaderFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  requirePageImageGeneration();
  requirePageStore();
  const [access, counts] = await Promise.all([getImageAccess(userId), countGeneratedFiles(userId)]);
  const done = new URL(request.url).searchParams.get("done");
  return { title: translatorFor(locale)("imageAccess.title"), locale, access, counts, done };
}

export async function action({ request, params }: ActionFunctionArgs) {
  const locale = requireLocale(params);
  const { id: userId } = await requirePageUser(request, locale);
  requirePageImageGeneration();
  const store = requirePageStore();
  await limitImageAccess(userId);
  const fields = await readForm(request, Object.keys(formSchema.shape));
  const form = formSchema.safeParse(Object.fromEntries(fields));
  if (!form.success) throw new Response(null, { status: 400 });
  const { intent, access } = form.data;
  if (intent === "new") await setImageAccess({ userId, access });
  else {
    await wantAccess({ userId, fileId: null, access });
    await moveFiles({ store, limit: MOVED_AT_ONCE, userId });
    await addThumbnailJobs({ userId });
  }
  return redirect(`/${locale}/account/images?done=${intent}`, 303);
}

export default function ImageAccess() {
  const t = useTranslations();
  const { locale, access, counts, done } = useLoaderData<typeof loader>();
  const other = access === "public" ? "private" : "public";
  return (
    <AccountPage
      isNarrow
      title={t("imageAccess.title")}
      lead={t("imageAccess.lead")}
      back={{ path: "/demo/image-generator", text: t("generator.title") }}
    >
      <DoneNotice
        done={done}
        texts={{
          new: access === "public" ? t("imageAccess.newPublic") : t("imageAccess.newPrivate"),
          all: counts.waiting > 0 ? t("imageAccess.moving") : t("imageAccess.moved"),
        }}
      />
      <Card id="new" title={t("imageAccess.new")}>
        <form method="post" className="card-form">
          <p className="muted">
            {access === "public" ? t("imageAccess.newPublic") : t("imageAccess.newPrivate")}
          </p>
          <input type="hidden" name="access" value={other} />
          <p>
            <Button name="intent" value="new">
              {other === "private"
                ? t("imageAccess.keepNewPrivate")
                : t("imageAccess.keepNewPublic")}
            </Button>
          </p>
        </form>
      </Card>
      <Card id="all" title={t("imageAccess.all")}>
        <div className="card-form">
          <p className="muted">
            {t("imageAccess.counts", { public: counts.public, private: counts.private })}
            {counts.waiting > 0 ? ` ${t("imageAccess.waiting", { count: counts.waiting })}` : ""}
          </p>
          <p className="muted">{t("imageAccess.allText")}</p>
          <div className="row">
            {counts.public > 0 ? (
              <AllForm access="private" text={t("imageAccess.allPrivate")} />
            ) : null}
            {counts.private > 0 ? (
              <AllForm access="public" text={t("imageAccess.allPublic")} />
            ) : null}
          </div>
          <p className="small">
            <a href={`/${locale}/files?kind=images`} className="link-24">
              {t("imageAccess.files")}
            </a>
          </p>
        </div>
      </Card>
    </AccountPage>
  );
}

function AllForm({ access, text }: { access: "private" | "public"; text: string }) {
  return (
    <form method="post">
      <input type="hidden" name="access" value={access} />
      <Button look="secondary" name="intent" value="all">
        {text}
      </Button>
    </form>
  );
}
