package dev.psm.studio.body;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.ByteBuffer;

/** Where a session says what happens. None of it blocks, however slowly somebody reads. */
interface Outlet {
  /** Says something that must arrive. */
  void say(ObjectNode message);

  /** Shows where everything is, or drops that: false where earlier frames are still on the way. */
  boolean show(ByteBuffer frame);

  /** Ends the connection, with a reason for the other side. */
  void close(String reason);
}
