import { useLocation, useRouteLoaderData } from "@remix-run/react";
import { VerifyFirst } from "~/components/account/verify-first";
import type { FrameData } from "~/components/frame/frame-data";
import { FreeCredits } from "~/components/free-credits";

/** Asks a signed-in person to verify their address, until they have. */
export function VerificationBanner() {
  const frame = useRouteLoaderData<FrameData>("routes/$locale");
  const { pathname, search } = useLocation();
  const user = frame?.user;
  if (!user?.lacksVerification) return null;
  return (
    <VerifyFirst email={user.email} returnTo={pathname + search}>
      {user.freeCredits > 0 ? (
        <FreeCredits credits={user.freeCredits} hasImages={frame?.features.images ?? false} />
      ) : null}
    </VerifyFirst>
  );
}
